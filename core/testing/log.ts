import type { LogOutput } from '../services/log/log.ts';

/** A line of the log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines. */
export interface TestLog extends LogOutput {
  readonly lines: LogLine[];
}

/**
 * A log that keeps its lines, for `createTestServices`.
 * @param onLine called with each line
 * @example const log = createTestLog(); createTestServices({ log }); assert.equal(log.lines[0]?.text, 'started');
 */
export function createTestLog(onLine: (line: LogLine) => void = () => undefined): TestLog {
  const lines: LogLine[] = [];
  const keep = (level: LogLine['level']) => (fields: object, text: string) => {
    const line = { level, text, fields: fields as LogLine['fields'] };
    lines.push(line);
    onLine(line);
  };
  const log: TestLog = {
    lines,
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    infoJson: (fields, text) => {
      log.info(JSON.parse(`{${fields}}`), text);
      return `{${fields},"message":"${text}"}\n`;
    },
    child: () => log,
  };
  return log;
}
