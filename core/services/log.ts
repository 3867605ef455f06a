import { destination, pino, stdTimeFunctions } from 'pino';
import type { Log } from '../contracts/services.ts';

/** Lines are written in the background and in batches: no request waits for a slow pipe, and a busy gateway does not pay a system call a line. */
const BATCH_BYTES = 3_072;
/** Worker processes share one pipe: the kernel keeps a write of this size in one piece (PIPE_BUF), so no line stands inside another. */
const WRITE_BYTES = 4_096;
/** The longest a line waits for its batch; what a kill -9 may lose. */
const FLUSH_MS = 100;

export interface LogOutput extends Log {
  /** A log whose lines all carry these fields. */
  child(fields: object): LogOutput;
}

/** JSON lines on standard output, one object a line. Headers that carry secrets are cut out wherever they are logged. */
export const createLog = (level = 'info'): LogOutput => {
  const settings = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    messageKey: 'message',
    errorKey: 'error',
    redact: { paths: ['headers.authorization', 'headers["x-api-key"]', 'headers["x-goog-api-key"]', 'headers["x-alt-api-key"]', 'headers.cookie'], censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(settings, destination({ dest: 1, sync: false, minLength: BATCH_BYTES, maxWrite: WRITE_BYTES, periodicFlush: FLUSH_MS }));
};
