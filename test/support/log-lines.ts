import type { Readable } from 'node:stream';

/** A line of the log of a gateway. */
export type LogLine = Readonly<Record<string, unknown>>;

/** @returns the lines that have come so far, each parsed once; a line that is not JSON is an error */
export const readLogLines = (stream: Readable): (() => readonly LogLine[]) => {
  const lines: LogLine[] = [];
  const unread: string[] = [];
  let incomplete = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (incomplete + chunk).split('\n');
    incomplete = parts.pop() ?? '';
    unread.push(...parts);
  });
  return () => {
    for (const line of unread.splice(0)) if (line !== '') lines.push(JSON.parse(line) as LogLine);
    return [...lines];
  };
};
