import { destination, pino, stdTimeFunctions } from 'pino';
import type { Log } from '../contracts/services.ts';

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
  // Written in the background, in batches when there is much: no request waits for a slow pipe.
  return pino(settings, destination({ dest: 1, sync: false }));
};
