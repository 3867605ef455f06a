import { isObject } from '../../canonical/json/members.ts';
import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { isLoopback } from '../loopback.ts';
import type { Finding } from '../problem.ts';
import { collectTexts, isOption } from '../secrets/secret-paths.ts';
import type { CheckContext } from '../checks/check.ts';
import { member, text } from '../checks/tolerant.ts';

const readUrl = (value: string, scheme: RegExp): URL | undefined =>
  scheme.test(value) && URL.canParse(value) ? new URL(value) : undefined;
const isLocal = ({ hostname }: URL): boolean => isLoopback(hostname.replace(/^\[|\]$/g, ''));

/** Without TLS, prompts, responses and credentials are sent in clear text. */
export function* auditUrls({ data }: CheckContext): Iterable<Finding> {
  for (const [path, value] of collectTexts(data)) {
    const url = isOption(path) ? readUrl(value, /^http:/i) : undefined;
    if (url === undefined || isLocal(url)) continue;
    const place = describePath(path);
    const message = `${place} is called without TLS, so prompts and credentials are sent in clear text. Use https.`;
    yield { path, rule: 'insecure-upstream', message };
  }
}

/** A process that can write to Redis can change every limit. */
export function* auditRedis({ data }: CheckContext): Iterable<Finding> {
  const redis = member(member(data, 'store'), 'redis');
  const given = isObject(redis) ? redis : { url: redis };
  const hosts = [...readList(given['cluster']), ...readList(member(given['sentinel'], 'hosts'))];
  const urls = [text(given['url']) ?? '', ...hosts.map((host) => `redis://${String(host)}`)]
    .flatMap((url) => readUrl(url, /^rediss?:/i) ?? [])
    .filter((url) => !isLocal(url));
  const hasTls = given['tls'] !== undefined || urls.every(({ protocol }) => protocol === 'rediss:');
  const hasPassword = text(given['password']) !== undefined || urls.every(({ password }) => password !== '');
  if (urls.length === 0 || (hasTls && hasPassword)) return;
  const missing = [...(hasTls ? [] : ['TLS']), ...(hasPassword ? [] : ['a password'])].join(' and without ');
  const remedy = 'Use rediss://user:password@host, or tls and password.';
  const message = `store.redis is on another machine, without ${missing}. ${remedy}`;
  yield { path: ['store', 'redis'], rule: 'open-redis', message };
}

/** https://nodejs.org/api/cli.html#node_tls_reject_unauthorizedvalue */
export function* auditVerification({ env }: CheckContext): Iterable<Finding> {
  const message =
    'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate is verified. Unset it. ' +
    'To trust your own certificate authority, set NODE_EXTRA_CA_CERTS.';
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') yield { path: [], rule: 'unverified-tls', message };
}
