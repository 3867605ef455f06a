import { describePath } from '../describe-path.ts';
import { isLoopback } from '../loopback.ts';
import type { Finding } from '../problem.ts';
import { collectTexts, isOption } from '../secrets/secret-places.ts';
import type { Check } from '../checks/check.ts';
import { member, text } from '../checks/tolerant.ts';

const readUrl = (value: string, scheme: RegExp): URL | undefined =>
  scheme.test(value) && URL.canParse(value) ? new URL(value) : undefined;
const isNear = ({ hostname }: URL): boolean => isLoopback(hostname.replace(/^\[|\]$/g, ''));

/** Prompts, answers and credentials cross the network as they are. */
export const auditUrls: Check = ({ data }) =>
  [...collectTexts(data)].flatMap(([path, value]): readonly Finding[] => {
    const url = isOption(path) ? readUrl(value, /^http:/i) : undefined;
    return url === undefined || isNear(url)
      ? []
      : [
          {
            path,
            rule: 'insecure-upstream',
            message: `${describePath(path)} is called without TLS: prompts and credentials can be read on the way. Write https.`,
          },
        ];
  });

/** Whoever reaches the Redis decides what is left of every limit. */
export const auditRedis: Check = ({ data }) => {
  const url = readUrl(text(member(member(data, 'store'), 'redis')) ?? '', /^rediss?:/i);
  if (url === undefined || isNear(url) || (url.protocol === 'rediss:' && url.password !== '')) return [];
  const missing = [...(url.protocol === 'rediss:' ? [] : ['TLS']), ...(url.password === '' ? ['a password'] : [])].join(
    ' and without ',
  );
  return [
    {
      path: ['store', 'redis'],
      rule: 'open-redis',
      message: `store.redis is another machine, without ${missing}: write rediss://user:password@host.`,
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
            'The variable NODE_TLS_REJECT_UNAUTHORIZED is 0: no certificate is checked. Unset it; NODE_EXTRA_CA_CERTS adds an authority of your own.',
        },
      ]
    : [];
