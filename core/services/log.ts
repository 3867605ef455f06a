import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { destination, pino } from 'pino';
import { redactKnown } from '../canonical/known-secrets.ts';
import { redactBody } from '../canonical/redact-body.ts';
import { redactKeys } from '../canonical/redact.ts';
import type { Log, Metrics } from '../contracts/services.ts';
import { prettyLine } from './log-pretty.ts';

/** Lines are written in the background and in batches: no request waits for a slow pipe, and a busy gateway does not pay a system call a line. */
const BATCH_BYTES = 3_072;
/** Worker processes share one pipe: the kernel keeps a write of this size in one piece (PIPE_BUF), so no line stands inside another. */
const WRITE_BYTES = 4_096;
/** The longest a line waits for its batch; what a kill -9 may lose. */
const FLUSH_MS = 100;
/** What waits, at most, while nobody reads standard output: some ten thousand lines. What does not fit is dropped and counted. */
const WAITING_BYTES = 4_194_304;

export interface LogOutput extends Log {
  /** A log whose lines all carry these fields. */
  child(fields: object): LogOutput;
  /** Tells of each line that could not be kept. Absent where none is ever lost. */
  readonly onDrop?: (tell: () => void) => void;
}

/** The log of a process that serves. */
export interface ProcessLog extends LogOutput {
  /** The last line has been said: whoever does not read it within two seconds will not keep the process. */
  finish(): void;
}

/** Counts the lines that this process has lost. */
export const countDroppedLines = (log: LogOutput, metrics: Metrics): void => {
  const count = metrics.counter('koine_log_dropped_total', 'Lines of the log that were dropped because standard output was not read.', []).bind([]);
  log.onDrop?.(() => count(1));
};

/** How often what nobody reads is tried again at the end, ten times a second. */
const LAST_TRIES = 20;

/** A pipe that is full must refuse a write, not hold it: a thread that is stuck in one cannot be ended. Node sets it so as it opens the stream. */
const neverBlock = (): void => {
  const kind = fstatSync(1);
  if (kind.isFIFO() || kind.isSocket()) void process.stdout;
};

/**
 * No secret of this process stands in a line, wherever it came from; what looks like a key, in lines that tell of trouble only: other lines are
 * redacted where they are made. Few lines hold one, and only these are read again.
 */
const redactLine = (line: string): string => {
  const redact = line.startsWith('{"level":"info"') ? redactKnown : redactKeys;
  return redact(line) === line ? line : `${JSON.stringify(redactBody(JSON.parse(line), redact))}\n`;
};

/** JSON lines on standard output, one object a line; on a terminal lines for people. Headers that carry secrets are cut out wherever they are logged. */
export const createLog = (level = 'info'): ProcessLog => {
  neverBlock();
  const settings = {
    level,
    base: null,
    timestamp: () => `,"ts":"${new Date().toISOString()}"`,
    messageKey: 'message',
    errorKey: 'error',
    redact: { paths: ['headers.authorization', 'headers["x-api-key"]', 'headers["x-goog-api-key"]', 'headers["x-alt-api-key"]', 'headers.cookie'], censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redactLine },
  };
  let tries = Number.POSITIVE_INFINITY;
  const retryEAGAIN = (): boolean => (tries -= 1) > 0;
  const output = destination({ dest: 1, sync: false, minLength: BATCH_BYTES, maxWrite: WRITE_BYTES, periodicFlush: FLUSH_MS, maxLength: WAITING_BYTES, retryEAGAIN });
  const coloured = process.env['NO_COLOR'] === undefined;
  const log = pino(settings, isatty(1) ? { write: (line: string) => output.write(prettyLine(line, coloured)) } : output);
  let dropped = 0;
  output.on('drop', () => {
    dropped += 1;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ lines }, 'lines of this log were dropped: standard output was not read');
  });
  const finish = (): void => {
    tries = LAST_TRIES;
    output.once('error', () => output.destroy());
  };
  // Before pino's own last act, which would wait for a reader for ever.
  process.prependListener('exit', () => {
    finish();
    try {
      output.flushSync();
    } catch {
      output.destroy();
    }
  });
  return Object.assign(log, {
    finish,
    onDrop: (tell: () => void) => void output.on('drop', tell),
  });
};
