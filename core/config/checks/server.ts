import { isIP } from 'node:net';
import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { parseDuration } from '../units/duration.ts';
import type { Finding, Path } from '../problem.ts';
import { canSharePorts } from '../../services/network/shared-ports.ts';
import { MEMORY_PER_BYTE } from '../resolve/resolve-memory.ts';
import { formatSize, parseSize } from '../units/size.ts';
import type { Check } from './check.ts';
import { entries, member, text } from './tolerant.ts';

/** The two listeners need different addresses. */
export const checkPorts: Check = ({ data }) => {
  const [server, admin] = [member(data, 'server'), member(data, 'admin')];
  const port = member(admin, 'port');
  return typeof port === 'number' &&
    port !== 0 &&
    port === member(server, 'port') &&
    member(admin, 'host') === member(server, 'host')
    ? [
        {
          path: ['admin', 'port'],
          rule: 'port-conflict',
          message: 'admin and server listen on the same address and port. Change admin.port.',
        },
      ]
    : [];
};

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
  (canShare = canSharePorts()): Check =>
  ({ data }) => {
    const workers = member(member(data, 'server'), 'workers');
    return canShare || workers === 1 || workers === undefined
      ? []
      : [
          {
            path: ['server', 'workers'],
            severity: 'warning',
            rule: 'out-of-range',
            message:
              `server.workers has no effect on ${process.platform}: threads cannot share a port there, and one ` +
              'thread serves. Set it to 1, or run the gateway on Linux.',
          },
        ];
  };

/** Proxies must be listed by address: a name could be made to resolve to another host. */
export const checkProxies: Check = ({ data }) =>
  readList(member(member(data, 'server'), 'trustProxy')).flatMap((range, index): readonly Finding[] => {
    const path: Path = ['server', 'trustProxy', index];
    return typeof range === 'string' && !isRange(range)
      ? [
          {
            path,
            rule: 'invalid-address',
            message: `${describePath(path)} must look like 10.0.0.1, 10.0.0.0/8 or fd00::/8.`,
          },
        ]
      : [];
  });

/** The memory for all bodies must be enough for the largest body. */
export const checkMemory: Check = ({ data }) => {
  const server = member(data, 'server');
  const overload = member(server, 'overload');
  const [limit, memory, perKey] = [member(server, 'bodyLimit'), member(overload, 'memory'), member(overload, 'perKey')];
  if (typeof limit !== 'string' || typeof memory !== 'string' || typeof perKey !== 'number') return [];
  const least = MEMORY_PER_BYTE * parseSize(limit);
  return parseSize(memory) * perKey < least
    ? [
        {
          path: ['server', 'overload', 'memory'],
          rule: 'out-of-range',
          message:
            `server.overload.memory times perKey must be at least ${MEMORY_PER_BYTE} times server.bodyLimit ` +
            `(${formatSize(least)}). Otherwise a body of that size is always refused.`,
        },
      ]
    : [];
};

/**
 * Node's timers use 32 bits: a longer one fires at once.
 * https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
 */
const MAX_TIMER_MS = 2_147_483_647;

/** Node would never close an idle connection with 0, and idle connections count for `server.maxConnections`. */
export const checkKeepAlive: Check = ({ data }) => {
  const value = text(member(member(data, 'server'), 'keepAliveTimeout'));
  const ms = value === undefined ? Number.NaN : parseDuration(value);
  return ms < 1_000 || ms > 3_600_000
    ? [
        {
          path: ['server', 'keepAliveTimeout'],
          rule: 'out-of-range',
          message: 'server.keepAliveTimeout must be between 1s and 1h.',
        },
      ]
    : [];
};

/** Every duration must fit a timer. */
export const checkDurations: Check = ({ data }) => {
  const timeouts = ['providers', 'models'].flatMap((section) =>
    entries(member(data, section)).flatMap(([name, owner]) =>
      entries(member(owner, 'timeouts')).map(([key, value]) => ({
        path: [section, name, 'timeouts', key],
        value,
        least: 1,
      })),
    ),
  );
  const stream = entries(member(data, 'stream')).map(([key, value]) => ({
    path: ['stream', key],
    value,
    least: key === 'openAfter' ? 0 : 1,
  }));
  const server = member(data, 'server');
  const arrivals = ['headersTimeout', 'requestTimeout', 'writeStall', 'backgroundTimeout'].map((key) => ({
    path: ['server', key],
    value: member(server, key),
    least: 1,
  }));
  const drain = entries(member(server, 'drain')).map(([key, value]) => ({
    path: ['server', 'drain', key],
    value,
    least: 0,
  }));
  const readOn = { path: ['server', 'readOn', 'time'], value: member(member(server, 'readOn'), 'time'), least: 0 };
  const lag = { path: ['server', 'overload', 'lag'], value: member(member(server, 'overload'), 'lag'), least: 1 };
  const grace = { path: ['server', 'bodyRate', 'grace'], value: member(member(server, 'bodyRate'), 'grace'), least: 0 };
  const plugins = readList(member(data, 'plugins')).map((plugin, index) => ({
    path: ['plugins', index, 'timeout'],
    value: member(plugin, 'timeout'),
    least: 1,
  }));
  const redis = { path: ['store', 'redisTimeout'], value: member(member(data, 'store'), 'redisTimeout'), least: 1 };
  return [...stream, redis, ...timeouts, ...arrivals, ...drain, lag, readOn, grace, ...plugins].flatMap(
    ({ path, value, least }): readonly Finding[] => {
      const ms = typeof value === 'string' ? parseDuration(value) : Number.NaN;
      if (ms < least)
        return [{ path, rule: 'out-of-range', message: `${describePath(path)} must be at least ${least}ms.` }];
      return ms > MAX_TIMER_MS
        ? [{ path, rule: 'out-of-range', message: `${describePath(path)} must be at most 596h.` }]
        : [];
    },
  );
};
