import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { destination, pino, type Logger } from 'pino';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { redactKnown } from '../../canonical/text/known-secrets.ts';
import { redactBody } from '../../canonical/text/redact-body.ts';
import { redactKeys } from '../../canonical/text/redact.ts';
import type { Metrics } from '../../contracts/services.ts';
import type { Log } from '../../contracts/services.ts';
import { BatchedOutput, type DropReason, type LineListeners, type LineOutput } from './output.ts';
import { prettyLine } from './pretty.ts';

/** The log within the gateway: that of extensions, and what the gateway itself needs. */
export interface LogOutput extends Log {
  /**
   * Writes a line of level `info` with fields that are already JSON: `"one":1,"two":"2"`. They are written unchanged,
   * so the caller has to redact them.
   * @param text without characters that JSON escapes
   */
  infoJson(fields: string, text: string): void;
  /** A log that adds these fields to every line. */
  child(fields: object): LogOutput;
  /** Registers a listener for the number of dropped lines, and why. Absent if no line is ever dropped. */
  readonly onDrop?: (listener: (lines: number, reason: DropReason) => void) => void;
  /**
   * Writes the lines of another process as they are. Absent unless standard output is a pipe: the kernel splits long
   * lines of processes that share one while its reader is behind.
   * @param confirm called with the number of further lines that the operating system has
   */
  readonly passOn?: (lines: Readable, confirm: (lines: number) => void) => void;
}

export interface ProcessLog extends LogOutput {
  /** Called after the last line: the process waits at most 2 s for the reader of standard output. */
  finish(): void;
  /** In a worker: the primary process has handed this many further lines to the operating system. */
  confirm(lines: number): void;
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
  return { write, finish: () => {}, exit: () => output.flushSync(), isIdle: true, confirm: () => {} };
};

/** Lines of processes of the gateway, which count what they have written. Others are those of `console.log`. */
const countLines = (lines: readonly string[]): number =>
  lines.reduce((count, line) => (line.startsWith('{"level":') ? count + 1 : count), 0);

/** Only whole lines are passed on, so that none stands within another. */
const passOnTo =
  (output: LineOutput): NonNullable<LogOutput['passOn']> =>
  (source, confirm) => {
    let rest = '';
    let passed = 0;
    let timer: NodeJS.Timeout | undefined;
    const confirmPassed = (): void => {
      if (!output.isIdle) return void timer?.refresh();
      timer = undefined;
      confirm(passed);
      passed = 0;
    };
    source.setEncoding('utf8');
    source.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length === 0) return;
      output.write(`${lines.join('\n')}\n`, lines.length);
      passed += countLines(lines);
      timer ??= setTimeout(confirmPassed, CONFIRM_MS);
    });
    source.on('end', () => {
      clearTimeout(timer);
      if (rest !== '') output.write(`${rest}\n`);
    });
  };
/** Lines of this time can stand in the log twice after the primary process has died. */
const CONFIRM_MS = 50;

/** @returns whether it is a pipe as well */
const openOutput = (
  listeners: LineListeners,
  spare: number | undefined,
): readonly [output: LineOutput, isPipe: boolean] => {
  if (isatty(1)) return [createTerminalOutput(), false];
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  // A full pipe must refuse a write rather than block. Node makes it non-blocking when it opens the stream.
  if (isPipe) void process.stdout;
  return [new BatchedOutput(1, isPipe, listeners, spare), isPipe];
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
      if (!logger.isLevelEnabled('info')) return;
      output.write(`{"level":"info"${timestamp()}${bound},${fields},"message":"${text}"}\n`);
    },
    child: (fields) => createLogOf(logger.child(fields), bound + membersOf(fields), output, onDrop),
    onDrop,
  });

/** Headers with secrets, which are masked wherever they are logged. */
const secretHeaders = ['.authorization', '["x-api-key"]', '["x-goog-api-key"]', '["x-alt-api-key"]', '.cookie'];

/** The descriptor with which a worker writes when the primary process, which passes on its lines, is gone. */
export const SPARE_DESCRIPTOR = 4;

/**
 * Writes JSON lines to standard output, or formatted lines if it is a terminal.
 * @param spare takes the place of a pipe whose reader has closed it
 */
export function createLog(level = 'info', spare?: number): ProcessLog {
  const listeners: ((lines: number, reason: DropReason) => void)[] = [];
  const [output, isPipe] = openOutput(
    {
      dropped: (lines, reason) => {
        for (const listen of listeners) listen(lines, reason);
      },
      resumed: (gap) => log.warn(gap, `lines of this log were dropped: ${causes[gap.reason]}`),
    },
    spare,
  );
  const settings = {
    level,
    base: null,
    timestamp,
    messageKey: 'message',
    errorKey: 'error',
    redact: { paths: secretHeaders.map((name) => `headers${name}`), censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redactLine },
  };
  const log = createLogOf(pino(settings, output), '', output, (listener) => void listeners.push(listener));
  // Run before the exit listeners of libraries.
  process.prependListener('exit', () => output.exit());
  return Object.assign(
    log,
    { finish: () => output.finish(), confirm: (lines: number) => output.confirm(lines) },
    isPipe ? { passOn: passOnTo(output) } : {},
  );
}
