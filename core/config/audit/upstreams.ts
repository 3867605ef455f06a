import { isObject } from '../../canonical/json/members.ts';
import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { isLoopback } from '../loopback.ts';
import type { Finding } from '../problem.ts';
import { collectTexts, isOption } from '../secrets/secret-paths.ts';
import type { Check } from '../checks/check.ts';
import { member, text } from '../checks/tolerant.ts';

const readUrl = (value: string, scheme: RegExp): URL | undefined =>
  scheme.test(value) && URL.canParse(value) ? new URL(value) : undefined;
const isLocal = ({ hostname }: URL): boolean => isLoopback(hostname.replace(/^\[|\]$/g, ''));

/** Without TLS, prompts, responses and credentials are sent in clear text. */
export const auditUrls: Check = ({ data }) =>
  collectTexts(data).flatMap(([path, value]): readonly Finding[] => {
    const url = isOption(path) ? readUrl(value, /^http:/i) : undefined;
    return url === undefined || isLocal(url)
      ? []
      : [
          {
            path,
            rule: 'insecure-upstream',
            message:
              `${describePath(path)} is called without TLS, so prompts and credentials are sent in clear text. ` +
              'Use https.',
          },
        ];
  });

/** A process that can write to Redis can change every limit. */
export const auditRedis: Check = ({ data }) => {
  const redis = member(member(data, 'store'), 'redis');
  const given = isObject(redis) ? redis : { url: redis };
  const hosts = [...readList(given['cluster']), ...readList(member(given['sentinel'], 'hosts'))];
  const urls = [text(given['url']) ?? '', ...hosts.map((host) => `redis://${String(host)}`)]
    .flatMap((url) => readUrl(url, /^rediss?:/i) ?? [])
    .filter((url) => !isLocal(url));
  const hasTls = given['tls'] !== undefined || urls.every(({ protocol }) => protocol === 'rediss:');
  const hasPassword = text(given['password']) !== undefined || urls.every(({ password }) => password !== '');
  if (urls.length === 0 || (hasTls && hasPassword)) return [];
  const missing = [...(hasTls ? [] : ['TLS']), ...(hasPassword ? [] : ['a password'])].join(' and without ');
  return [
    {
      path: ['store', 'redis'],
      rule: 'open-redis',
      message:
        `store.redis is on another machine, without ${missing}. ` +
        'Use rediss://user:password@host, or tls and password.',
    },
  ];
};

/** https://nodejs.org/api/cli.html#node_tls_reject_unauthorizedvalue */
export const auditVerification: Check = ({ env }) =>
  env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
    ? [
        {
          path: [],
          rule: 'unverified-tls',
          message:
            'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate is verified. Unset it. ' +
            'To trust your own certificate authority, set NODE_EXTRA_CA_CERTS.',
        },
      ]
    : [];
