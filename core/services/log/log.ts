import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { isMainThread } from 'node:worker_threads';
import { destination, pino, type Logger } from 'pino';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { keyHeaders } from '../../canonical/text/key-headers.ts';
import { redactKnown } from '../../canonical/text/known-secrets.ts';
import { redactBody } from '../../canonical/text/redact-body.ts';
import { redactKeys } from '../../canonical/text/redact.ts';
import type { Metrics, Log } from '../../contracts/services.ts';
import { BatchedOutput, type DropReason, type LineListeners, type LineOutput } from './output.ts';
import { PipeLock } from './pipe-lock.ts';
import { prettyLine } from './pretty.ts';

/** The log within the gateway: that of extensions, and what the gateway itself needs. */
export interface LogOutput extends Log {
  /**
   * Writes a line of level `info` with fields that are already JSON: `"one":1,"two":"2"`. They are written unchanged,
   * so the caller has to redact them.
   * @param text without characters that JSON escapes
   * @returns the line, also where this level is not written
   */
  infoJson(fields: string, text: string): string;
  /** A log that adds these fields to every line. */
  child(fields: object): LogOutput;
  /** Registers a listener for the number of dropped lines, and why. Absent if no line is ever dropped. */
  readonly onDrop?: (listener: (lines: number, reason: DropReason) => void) => void;
  /** In the main thread, if standard output is a pipe, which the worker threads write to as well. */
  readonly workers?: LogOfWorkers;
}

/** What the main thread does for the logs of its worker threads. */
export interface LogOfWorkers {
  /** Of the lock of the pipe. */
  readonly memory: SharedArrayBuffer;
  /** A worker has ended. */
  release(worker: number): void;
  /** Writes the rest of a line that a worker has begun. */
  writeRest(rest: Uint8Array): void;
  /** Writes what an extension prints in a worker: whole lines. */
  passOn(printed: Readable): void;
}

export interface ProcessLog extends LogOutput {
  /** Called after the last line: the process waits at most 2 s for the reader of standard output. */
  finish(): void;
}

const causes: Readonly<Record<DropReason, string>> = {
  slow_reader: 'the reader of standard output is too slow',
  write_error: 'standard output cannot be written',
  closed: 'the reader of standard output has closed it',
};

/** Counts the dropped lines of this process. */
export function countDroppedLines(log: LogOutput, metrics: Metrics): void {
  const help = 'Lines of the log that were dropped because standard output was not read or could not be written.';
  const counter = metrics.counter('koine_log_dropped_total', help, ['reason']);
  const counts = new Map(Object.keys(causes).map((reason) => [reason, counter.bind([reason])]));
  log.onDrop?.((lines, reason) => counts.get(reason)?.(lines));
}

/**
 * Redacts the known secrets of this process in every line, and anything that looks like a key in warnings and errors;
 * other lines are redacted where they are created. Lines without a match are not parsed again.
 */
const redactLine = (line: string): string => {
  const redact = line.startsWith('{"level":"info"') ? redactKnown : redactKeys;
  return redact(line) === line ? line : `${JSON.stringify(redactBody(JSON.parse(line), redact))}\n`;
};

let [stampedAt, stamp] = [Number.NaN, ''];
/** The timestamp member of a line, cached per millisecond. */
const timestamp = (): string => {
  const now = Date.now();
  if (now !== stampedAt) [stampedAt, stamp] = [now, `,"ts":"${new Date(now).toISOString()}"`];
  return stamp;
};

/** Formatted lines for a terminal. Written in the background, so that a stopped terminal does not block requests. */
const createTerminalOutput = (): LineOutput => {
  const coloured = process.env['NO_COLOR'] === undefined;
  const output = destination({ dest: 1, sync: false });
  const write = (line: string): unknown => output.write(prettyLine(line, coloured));
  return { write, writeRest: () => {}, finish: () => {}, exit: () => output.flushSync() };
};

/** Only whole lines are passed on, so that none stands within another. */
const passOnTo =
  (output: LineOutput): LogOfWorkers['passOn'] =>
  (printed) => {
    let rest = '';
    printed.setEncoding('utf8');
    printed.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) output.write(`${line}\n`);
    });
    printed.on('end', () => {
      if (rest !== '') output.write(`${rest}\n`);
    });
  };

/** Whether standard output is a pipe. Otherwise each thread writes by itself, whole lines at once. */
const isPipe = (): boolean => {
  if (isatty(1)) return false;
  const kind = fstatSync(1);
  return kind.isFIFO() || kind.isSocket();
};

const openOutput = (listeners: LineListeners, lock: PipeLock | undefined): LineOutput => {
  if (isatty(1)) return createTerminalOutput();
  // A full pipe must refuse a write rather than block. Node makes it non-blocking when it opens the stream.
  if (lock !== undefined && isMainThread) void process.stdout;
  return new BatchedOutput(1, listeners, lock);
};

/** The fields as JSON members, each after a comma. */
const membersOf = (fields: object): string => {
  const member = ([name, value]: [string, unknown]): string =>
    `,${JSON.stringify(name)}:${JSON.stringify(redactBody(value, redactKnown))}`;
  return Object.entries(fields).map(member).join('');
};

/** @param bound the fields of every line of this logger, as JSON members, each after a comma */
const createLogOf = (logger: Logger, bound: string, output: LineOutput, onDrop: LogOutput['onDrop']): LogOutput =>
  omitUndefined({
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    error: (fields, text) => logger.error(fields, text),
    infoJson: (fields, text) => {
      const line = `{"level":"info"${timestamp()}${bound},${fields},"message":"${text}"}\n`;
      if (logger.isLevelEnabled('info')) output.write(line);
      return line;
    },
    child: (fields) => createLogOf(logger.child(fields), bound + membersOf(fields), output, onDrop),
    onDrop,
  });

/** Headers with secrets, which are masked wherever they are logged. */
const secretHeaders = ['authorization', 'cookie', ...keyHeaders];

/**
 * Writes JSON lines to standard output, or formatted lines if it is a terminal.
 * @param lock in a worker thread: the lock of the pipe, if standard output is one
 */
export function createLog(level = 'info', lock = isMainThread && isPipe() ? new PipeLock() : undefined): ProcessLog {
  const listeners: ((lines: number, reason: DropReason) => void)[] = [];
  const output = openOutput(
    {
      dropped: (lines, reason) => {
        for (const listen of listeners) listen(lines, reason);
      },
      resumed: (gap) => log.warn(gap, `lines of this log were dropped: ${causes[gap.reason]}`),
    },
    lock,
  );
  const settings = {
    level,
    base: null,
    timestamp,
    messageKey: 'message',
    errorKey: 'error',
    redact: { paths: secretHeaders.map((name) => `headers["${name}"]`), censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redactLine },
  };
  const log = createLogOf(pino(settings, output), '', output, (listener) => void listeners.push(listener));
  // Run before the exit listeners of libraries.
  process.prependListener('exit', () => output.exit());
  const workers: LogOfWorkers | undefined = lock && {
    memory: lock.memory,
    release: (worker) => lock.release(worker),
    writeRest: (rest) => output.writeRest(rest),
    passOn: passOnTo(output),
  };
  return Object.assign(log, { finish: () => output.finish() }, workers && { workers });
}
