import { isObject } from '../../../canonical/json/members.ts';
import { readList } from '../../../canonical/json/read.ts';
import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import type { CheckContext } from '../check.ts';
import { checkTls } from '../connections.ts';
import { member, text } from '../tolerant.ts';

const PATH: Path = ['store', 'redis'];
const kinds = ['url', 'cluster', 'sentinel'] as const;

const unsupported = (path: Path, message: string): Finding => ({ path, rule: 'unsupported-redis', message });

/** An empty URL is none. Messages never quote the URL, because it may contain a password. */
function* checkUrl(given: unknown, path: Path): Iterable<Finding> {
  const url = text(given);
  if (url === undefined || (/^rediss?:\/\/./i.test(url) && URL.canParse(url))) return;
  yield unsupported(
    path,
    `${describePath(path)} must look like redis://127.0.0.1:6379 or, with TLS, ` +
      'rediss://user:password@redis.internal:6380/0. For several nodes, write store.redis.cluster or ' +
      'store.redis.sentinel.',
  );
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
function* checkHosts(hosts: unknown, path: Path): Iterable<Finding> {
  for (const [index, host] of readList(hosts).entries()) {
    if (typeof host !== 'string' || HOST.test(host)) continue;
    const at = [...path, index];
    yield unsupported(
      at,
      `${describePath(at)} must look like redis-1.internal:6379, without a scheme. ` +
        'Passwords are in password, and TLS in tls.',
    );
  }
}

/** `store.redis` must be a URL, or name one kind of Redis. */
export function* checkRedis({ data, folder }: CheckContext): Iterable<Finding> {
  const redis = member(member(data, 'store'), 'redis');
  if (!isObject(redis)) return yield* checkUrl(redis, PATH);
  const given = kinds.filter((kind) => redis[kind] !== undefined && redis[kind] !== '');
  if (given.length !== 1) {
    const found = given.length > 1 ? `, not ${given.join(' and ')}` : '';
    return yield unsupported(PATH, `store.redis must have one of url, cluster and sentinel${found}.`);
  }
  yield* checkUrl(redis['url'], [...PATH, 'url']);
  yield* checkHosts(redis['cluster'], [...PATH, 'cluster']);
  yield* checkHosts(member(redis['sentinel'], 'hosts'), [...PATH, 'sentinel', 'hosts']);
  if (/^redis:/i.test(text(redis['url']) ?? '') && redis['tls'] !== undefined)
    yield unsupported([...PATH, 'tls'], 'store.redis.tls needs a url that begins with rediss://.');
  yield* checkTls(redis['tls'], [...PATH, 'tls'], folder);
}
