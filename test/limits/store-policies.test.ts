import { expect } from 'chai';
import type { HttpReply } from '../support/http.ts';
import { startLimited, type Limited } from './support/limited.ts';

const LIMIT = 20;
const ASKED = 30;
/** This port is closed. */
const redis = 'redis://127.0.0.1:9';
const limit = { requests: LIMIT, per: '1h' };
const keys = {
  plain: [limit],
  local: [{ ...limit, onStoreFailure: 'local' }],
  allow: [{ ...limit, onStoreFailure: 'allow' }],
  deny: [{ ...limit, onStoreFailure: 'deny' }],
};

interface Policy {
  readonly config: object;
  /** How many of the 30 requests of each key are answered; 'deny': none, with a 503. */
  readonly admitted: Readonly<Record<keyof typeof keys, number | 'deny'>>;
}
const policies: readonly Policy[] = [
  { config: {}, admitted: { plain: LIMIT, local: LIMIT, allow: ASKED, deny: 'deny' } },
  {
    config: { onStoreFailure: 'allow', replicas: 4 },
    admitted: { plain: ASKED, local: LIMIT / 4, allow: ASKED, deny: 'deny' },
  },
  {
    config: { onStoreFailure: 'deny', replicas: 4, factor: 0.8 },
    admitted: { plain: 'deny', local: 4, allow: ASKED, deny: 'deny' },
  },
];

const askOften = (gateway: Limited, key: string): Promise<readonly HttpReply[]> =>
  Promise.all(Array.from({ length: ASKED }, () => gateway.ask(key)));
const statusesOf = (replies: readonly HttpReply[]): readonly number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b);
const expected = (admitted: number | 'deny'): readonly number[] =>
  Array.from({ length: ASKED }, (_, index) => (admitted === 'deny' ? 503 : index < admitted ? 200 : 429));

describe('limits without an available Redis', () => {
  for (const { config, admitted } of policies) {
    it(`limits without Redis apply ${JSON.stringify(config)}, and the setting of each limit`, async () => {
      const gateway = await startLimited({ keys, redis, config });
      try {
        for (const [key, wanted] of Object.entries(admitted)) {
          const replies = await askOften(gateway, key);
          expect(statusesOf(replies), key).to.deep.equal(expected(wanted));
          expect(new Set(replies.map(({ headers }) => headers['x-koine-ratelimit-mode'])), key).to.deep.equal(
            new Set(['local']),
          );
        }
      } finally {
        await gateway.end();
      }
    });
  }

  it('limits without Redis are divided among hosts: two of two replicas together admit exactly the limit', async () => {
    const gateways = await Promise.all([1, 2].map(() => startLimited({ keys, redis, config: { replicas: 2 } })));
    try {
      const replies = (await Promise.all(gateways.map((gateway) => askOften(gateway, 'plain')))).flat();
      expect(replies.filter(({ status }) => status === 200)).to.have.length(LIMIT);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.end()));
    }
  });
});
