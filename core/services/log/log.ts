import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { destination, pino, type Logger } from 'pino';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { redactKnown } from '../../canonical/text/known-secrets.ts';
import { redactBody } from '../../canonical/text/redact-body.ts';
import { redactKeys } from '../../canonical/text/redact.ts';
import type { Metrics } from '../../contracts/metrics.ts';
import type { Log } from '../../contracts/services.ts';
import { BatchedOutput, type LineListeners, type LineOutput } from './output.ts';
import { prettyLine } from './pretty.ts';

export interface LogOutput extends Log {
  /**
   * A line of level `info` whose fields are JSON already: `"one":1,"two":"2"`. It is written as it is: whoever made
   * the fields has redacted them.
   * @param text without characters that JSON escapes
   */
  infoJson(fields: string, text: string): void;
  /** A log whose lines all carry these fields. */
  child(fields: object): LogOutput;
  /** Called with how many lines could not be kept. Absent where none is ever lost. */
  readonly onDrop?: (listener: (lines: number) => void) => void;
}

/** The log of a process that serves. */
export interface ProcessLog extends LogOutput {
  /** The last line has been written: a reader who does not take it within two seconds will not keep the process. */
  finish(): void;
}

/** Counts the lines that this process has lost. */
export function countDroppedLines(log: LogOutput, metrics: Metrics): void {
  const help = 'Lines of the log that were dropped because standard output was not read.';
  const count = metrics.counter('koine_log_dropped_total', help, []).bind([]);
  log.onDrop?.(count);
}

/**
 * No secret of this process stands in a line, wherever it came from; what looks like a key, in lines that tell of
 * trouble only: other lines are redacted where they are made. Few lines hold one, and only these are read again.
 */
const redactLine = (line: string): string => {
  const redact = line.startsWith('{"level":"info"') ? redactKnown : redactKeys;
  return redact(line) === line ? line : `${JSON.stringify(redactBody(JSON.parse(line), redact))}\n`;
};

let [stampedAt, stamp] = [Number.NaN, ''];
/** The time as every line has it. Many lines have the same. */
const timestamp = (): string => {
  const now = Date.now();
  if (now !== stampedAt) [stampedAt, stamp] = [now, `,"ts":"${new Date(now).toISOString()}"`];
  return stamp;
};

/** Lines for people. In the background: a terminal that was stopped holds up no request. */
const createTerminalOutput = (): LineOutput => {
  const coloured = process.env['NO_COLOR'] === undefined;
  const output = destination({ dest: 1, sync: false });
  const write = (line: string): unknown => output.write(prettyLine(line, coloured));
  return { write, finish: () => {}, exit: () => output.flushSync() };
};

const openOutput = (listeners: LineListeners): LineOutput => {
  if (isatty(1)) return createTerminalOutput();
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  // A pipe that is full must refuse a write, not hold it. Node sets it so as it opens the stream.
  if (isPipe) void process.stdout;
  return new BatchedOutput(1, isPipe, listeners);
};

/** Each after a comma. */
const membersOf = (fields: object): string => {
  const member = ([name, value]: [string, unknown]): string =>
    `,${JSON.stringify(name)}:${JSON.stringify(redactBody(value, redactKnown))}`;
  return Object.entries(fields).map(member).join('');
};

/** @param bound the fields of all lines of this logger, as JSON, each after a comma */
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

/** Headers that carry secrets, which are cut out wherever they are logged. */
const secretHeaders = ['.authorization', '["x-api-key"]', '["x-goog-api-key"]', '["x-alt-api-key"]', '.cookie'];

/** JSON lines on standard output, one object a line; on a terminal lines for people. */
export function createLog(level = 'info'): ProcessLog {
  const listeners: ((lines: number) => void)[] = [];
  let dropped = 0;
  const output = openOutput({
    dropped: (lines) => {
      dropped += lines;
      for (const listen of listeners) listen(lines);
    },
    drained: () => {
      if (dropped === 0) return;
      const lines = dropped;
      dropped = 0;
      log.warn({ lines }, 'lines of this log were dropped: standard output was not read');
    },
  });
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
  // Before the last act of a library's own.
  process.prependListener('exit', () => output.exit());
  return Object.assign(log, { finish: () => output.finish() });
}
