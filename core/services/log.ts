import { pino, stdTimeFunctions } from 'pino';
import type { Log } from '../contracts/services.ts';

export interface LogOutput extends Log {
  /** A log whose lines all carry these fields. */
  child(fields: object): LogOutput;
}

/** JSON lines on standard output, one object a line. Headers that carry secrets are cut out wherever they are logged. */
export const createLog = (level = 'info'): LogOutput => {
  const logger = pino({
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    messageKey: 'message',
    errorKey: 'error',
    redact: { paths: ['headers.authorization', 'headers["x-api-key"]', 'headers["x-goog-api-key"]', 'headers["x-alt-api-key"]', 'headers.cookie'], censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
  });
  return logger;
};
