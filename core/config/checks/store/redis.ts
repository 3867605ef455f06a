import { isObject } from '../../../canonical/json/members.ts';
import { readList } from '../../../canonical/json/read.ts';
import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import type { Check } from '../check.ts';
import { checkTls } from '../connections.ts';
import { member, text } from '../tolerant.ts';

const PATH: Path = ['store', 'redis'];
const kinds = ['url', 'cluster', 'sentinel'] as const;

const unsupported = (path: Path, message: string): readonly Finding[] => [{ path, rule: 'unsupported-redis', message }];

/** Messages never quote the URL, because it may contain a password. */
const checkUrl = (url: string, path: Path): readonly Finding[] =>
  /^rediss?:\/\/./i.test(url) && URL.canParse(url)
    ? []
    : unsupported(
        path,
        `${describePath(path)} must look like redis://127.0.0.1:6379 or, with TLS, ` +
          'rediss://user:password@redis.internal:6380/0. For several nodes, write store.redis.cluster or ' +
          'store.redis.sentinel.',
      );

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const checkHosts = (hosts: unknown, path: Path): readonly Finding[] =>
  readList(hosts).flatMap((host, index) =>
    typeof host !== 'string' || HOST.test(host)
      ? []
      : unsupported(
          [...path, index],
          `${describePath([...path, index])} must look like redis-1.internal:6379, without a scheme. ` +
            'Passwords are in password, and TLS in tls.',
        ),
  );

/** `store.redis` must be a URL, or name one kind of Redis. An empty URL is none. */
export const checkRedis: Check = ({ data, folder }) => {
  const redis = member(member(data, 'store'), 'redis');
  if (!isObject(redis)) return text(redis) === undefined ? [] : checkUrl(String(redis), PATH);
  const given = kinds.filter((kind) => redis[kind] !== undefined && redis[kind] !== '');
  if (given.length !== 1) {
    const found = given.length > 1 ? `, not ${given.join(' and ')}` : '';
    return unsupported(PATH, `store.redis must have one of url, cluster and sentinel${found}.`);
  }
  const url = text(redis['url']);
  const clear = url !== undefined && /^redis:/i.test(url) && redis['tls'] !== undefined;
  return [
    ...(url === undefined ? [] : checkUrl(url, [...PATH, 'url'])),
    ...checkHosts(redis['cluster'], [...PATH, 'cluster']),
    ...checkHosts(member(redis['sentinel'], 'hosts'), [...PATH, 'sentinel', 'hosts']),
    ...(clear ? unsupported([...PATH, 'tls'], 'store.redis.tls needs a url that begins with rediss://.') : []),
    ...checkTls(redis['tls'], [...PATH, 'tls'], folder),
  ];
};
