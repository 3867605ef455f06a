import type { Path } from '../problem.ts';

/**
 * * The settings that only a restart applies: bound sockets, forked processes and open stores. Each includes everything
 * below it. A reload applies all other settings.
 */
const restartPaths: readonly (readonly string[])[] = [
  ...[
    'host',
    'port',
    'workers',
    'tls',
    'headersTimeout',
    'requestTimeout',
    'keepAliveTimeout',
    'writeStall',
    'maxConnections',
  ].map((name) => ['server', name]),
  ['admin', 'host'],
  ['admin', 'port'],
  ['admin', 'tls'],
  ['store'],
];

/** Whether a change of the setting needs a restart. For a section: true only if all of its settings do. */
export const needsRestart = (path: Path): boolean =>
  restartPaths.some((restartPath) => restartPath.every((segment, index) => path[index] === segment));
