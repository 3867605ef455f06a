import type { Path } from '../problem.ts';

/**
 * What is taken up by a start alone: sockets that are bound, processes that are forked, stores that are open. Each
 * stands for all beneath it. Everything else of the file is taken up by a reload.
 */
const atStart: readonly (readonly string[])[] = [
  ...['host', 'port', 'workers', 'tls', 'headersTimeout', 'requestTimeout', 'writeStall', 'maxConnections'].map(
    (name) => ['server', name],
  ),
  ['admin', 'host'],
  ['admin', 'port'],
  ['admin', 'tls'],
  ['store'],
];

/** Does a change of the setting wait for the next start? Asked of a section, true only when all of it does. */
export const needsRestart = (path: Path): boolean =>
  atStart.some((start) => start.every((segment, index) => path[index] === segment));
