import type { Path } from '../problem.ts';

/**
 * The settings that only a restart applies: bound sockets, started workers and open stores. Each includes everything
 * below it. A reload applies all other settings.
 */
const restartPaths: readonly (readonly string[])[] = [
  ...[
    'host',
    'port',
    'workers',
    'headersTimeout',
    'requestTimeout',
    'keepAliveTimeout',
    'writeStall',
    'maxConnections',
    'maxRequestsPerConnection',
    'websocket',
  ].map((name) => ['server', name]),
  ['admin', 'host'],
  ['admin', 'port'],
  ['store'],
];

/** A listener cannot begin or cease to use TLS. Its files can change. */
const isTlsSection = (path: Path): boolean =>
  path.length === 2 && (path[0] === 'server' || path[0] === 'admin') && path[1] === 'tls';

/**
 * Whether a change of the setting needs a restart. For a section: true only if all of its settings do, or if it cannot
 * be added or removed.
 */
export const needsRestart = (path: Path): boolean =>
  isTlsSection(path) ||
  restartPaths.some((restartPath) => restartPath.every((segment, index) => path[index] === segment));
