import { isIP } from 'node:net';
import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { parseDuration } from '../units/duration.ts';
import type { Finding, Path } from '../problem.ts';
import { canSharePorts } from '../../services/network/shared-ports.ts';
import { MEMORY_PER_BYTE } from '../resolve/resolve-memory.ts';
import { formatSize, parseSize } from '../units/size.ts';
import type { CheckContext } from './check.ts';
import { entries, member, text, valueAt } from './tolerant.ts';

/** The two listeners need different addresses. */
export function* checkPorts({ data }: CheckContext): Iterable<Finding> {
  const [server, admin] = [member(data, 'server'), member(data, 'admin')];
  const port = member(admin, 'port');
  if (typeof port !== 'number' || port === 0 || port !== member(server, 'port')) return;
  if (member(admin, 'host') !== member(server, 'host')) return;
  const message = 'admin and server listen on the same address and port. Change admin.port.';
  yield { path: ['admin', 'port'], rule: 'port-conflict', message };
}

const isRange = (range: string): boolean => {
  const [address = '', bits, ...more] = range.split('/');
  const widest = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
  );
};

/** @param canShare whether the workers can share a port on this system */
export const createWorkersCheck =
  (canShare = canSharePorts()) =>
  ({ data }: CheckContext): readonly Finding[] => {
    const workers = member(member(data, 'server'), 'workers');
    if (canShare || workers === 1 || workers === undefined) return [];
    const message =
      `server.workers has no effect on ${process.platform}: threads cannot share a port there, and one ` +
      'thread serves. Set it to 1, or run the gateway on Linux.';
    return [{ path: ['server', 'workers'], severity: 'warning', rule: 'out-of-range', message }];
  };

/** Proxies must be listed by address: a name could be made to resolve to another host. */
export function* checkProxies({ data }: CheckContext): Iterable<Finding> {
  for (const [index, range] of readList(member(member(data, 'server'), 'trustProxy')).entries()) {
    const path: Path = ['server', 'trustProxy', index];
    const message = `${describePath(path)} must look like 10.0.0.1, 10.0.0.0/8 or fd00::/8.`;
    if (typeof range === 'string' && !isRange(range)) yield { path, rule: 'invalid-address', message };
  }
}

/** The memory for all bodies must be enough for the largest body. */
export function* checkMemory({ data }: CheckContext): Iterable<Finding> {
  const server = member(data, 'server');
  const overload = member(server, 'overload');
  const [limit, memory, perKey] = [member(server, 'bodyLimit'), member(overload, 'memory'), member(overload, 'perKey')];
  if (typeof limit !== 'string' || typeof memory !== 'string' || typeof perKey !== 'number') return;
  const least = MEMORY_PER_BYTE * parseSize(limit);
  if (!(parseSize(memory) * perKey < least)) return;
  const message =
    `server.overload.memory times perKey must be at least ${MEMORY_PER_BYTE} times server.bodyLimit ` +
    `(${formatSize(least)}). Otherwise a body of that size is always refused.`;
  yield { path: ['server', 'overload', 'memory'], rule: 'out-of-range', message };
}

/**
 * Node's timers use 32 bits: a longer one fires at once.
 * https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
 */
const MAX_TIMER_MS = 2_147_483_647;

/** Node would never close an idle connection with 0, and idle connections count for `server.maxConnections`. */
export function* checkKeepAlive({ data }: CheckContext): Iterable<Finding> {
  const value = text(member(member(data, 'server'), 'keepAliveTimeout'));
  const ms = value === undefined ? Number.NaN : parseDuration(value);
  const message = 'server.keepAliveTimeout must be between 1s and 1h.';
  if (ms < 1_000 || ms > 3_600_000) yield { path: ['server', 'keepAliveTimeout'], rule: 'out-of-range', message };
}

/** The durations of a section, each with the least that it can be in milliseconds. */
type Durations = readonly (readonly [path: Path, value: unknown, least: number])[];

const durationsOf = (section: unknown, path: Path, leastOf: (name: string) => number): Durations =>
  entries(section).map(([name, value]) => [[...path, name], value, leastOf(name)]);

const listDurations = (data: unknown): Durations => {
  const at = (...path: readonly string[]): unknown => valueAt(data, path);
  const single = (least: number, ...path: readonly string[]): Durations => [[path, at(...path), least]];
  return [
    ...durationsOf(at('stream'), ['stream'], (name) => (name === 'openAfter' ? 0 : 1)),
    ...single(1, 'store', 'redisTimeout'),
    ...['providers', 'models'].flatMap((section) =>
      entries(at(section)).flatMap(([name, owner]) =>
        durationsOf(member(owner, 'timeouts'), [section, name, 'timeouts'], () => 1),
      ),
    ),
    ...['headersTimeout', 'requestTimeout', 'writeStall', 'backgroundTimeout'].flatMap((name) =>
      single(1, 'server', name),
    ),
    ...durationsOf(at('server', 'drain'), ['server', 'drain'], () => 0),
    ...single(1, 'server', 'overload', 'lag'),
    ...single(0, 'server', 'readOn', 'time'),
    ...single(0, 'server', 'bodyRate', 'grace'),
    ...readList(at('plugins')).map(
      (plugin, index) => [['plugins', index, 'timeout'], member(plugin, 'timeout'), 1] as const,
    ),
  ];
};

/** Every duration must fit a timer. */
export function* checkDurations({ data }: CheckContext): Iterable<Finding> {
  for (const [path, value, least] of listDurations(data)) {
    const ms = typeof value === 'string' ? parseDuration(value) : Number.NaN;
    const bound = ms < least ? `at least ${least}ms` : 'at most 596h';
    if (ms < least || ms > MAX_TIMER_MS)
      yield { path, rule: 'out-of-range', message: `${describePath(path)} must be ${bound}.` };
  }
}
