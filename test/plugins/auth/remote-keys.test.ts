import { inspect } from 'node:util';
import { expect } from 'chai';
import { GatewayError, type Fetch, type KeyDirectory, type Services } from '../../../core/api/index.ts';
import {
  alice,
  createAuth,
  createHead,
  createKnownKeys,
  createRecord,
  now,
  settle,
  type TestAuth,
} from './auth-setup.ts';

const url = 'https://keys.internal/check';
const options = {
  failures: false,
  remote: {
    url,
    headers: { authorization: 'Bearer canary', 'Content-Type': 'text/plain' },
    timeout: '250ms',
    cache: '10s',
    grace: '1m',
  },
};
const carol = { key: 'carol', project: 'app', organization: 'acme' };
const named = { ...carol, key: 'remote:carol' };
const present = (text: string) => createHead({ authorization: `Bearer ${text}` });

interface Service {
  readonly fetch: Fetch;
  readonly calls: Parameters<Fetch>[];
  /** Status and body of the next responses; an Error is thrown. */
  answer: readonly [status: number, body: object] | Error;
}
const createService = (answer: Service['answer'] = [200, { active: true, ...carol }]): Service => {
  const service: Service = {
    calls: [],
    answer,
    fetch: async (...call) => {
      service.calls.push(call);
      if (service.answer instanceof Error) throw service.answer;
      return { status: service.answer[0], body: Buffer.from(JSON.stringify(service.answer[1])) };
    },
  };
  return service;
};

/** The plugin with a key service and a clock that the test moves. */
const start = async (
  service: Service,
  keys: KeyDirectory = createKnownKeys({ alice: createRecord('known') }),
  given: Partial<Services> = {},
): Promise<TestAuth & { readonly time: { now: number } }> => {
  const time = { now: 0 };
  const auth = await createAuth(keys, options, {
    fetch: service.fetch,
    clock: { now: () => now, monotonic: () => time.now },
    ...given,
  });
  return { ...auth, time };
};
const tryKey = async ({ identify }: TestAuth, text: string): Promise<unknown> => {
  const result = await settle(() => identify(present(text)));
  return GatewayError.is(result) ? result.code : result;
};
const texts = ({ logged }: TestAuth): readonly unknown[] => logged.filter((entry) => typeof entry === 'string');

describe('a remote key service', () => {
  it('calls the key service once for an otherwise unknown key, with the digest and never with the key', async () => {
    const service = createService();
    const auth = await start(service);
    expect(await tryKey(auth, 'secret')).to.deep.equal({ ...named, models: [] });
    expect(service.calls).to.deep.equal([
      [
        url,
        {
          method: 'POST',
          headers: {
            authorization: 'Bearer canary',
            'Content-Type': 'text/plain',
            accept: 'application/json',
            'content-type': 'application/json',
          },
          body: '{"sha256":"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"}',
          timeoutMs: 250,
        },
      ],
    ]);
  });

  it('does not call the key service for configured or stored keys, nor for texts that cannot be keys', async () => {
    const service = createService();
    const auth = await start(service);
    expect(auth.identify(present('known'))).to.equal(alice);
    for (const head of [createHead({}), present('x'.repeat(513))])
      expect(await settle(() => auth.identify(head))).to.include({ code: 'invalid_api_key' });
    const later = await start(service, { find: async () => createRecord('known') });
    expect(await tryKey(later, 'known')).to.equal(alice);
    expect(service.calls).to.have.length(0);
  });

  it('calls the key service when an asynchronous lookup in the database finds nothing', async () => {
    const auth = await start(createService(), { find: async () => undefined });
    expect(await tryKey(auth, 'secret')).to.include(named);
  });

  it('caches a valid key of the key service: the same caller object, without a promise', async () => {
    const service = createService();
    const auth = await start(service);
    const both = await Promise.all([auth.identify(present('secret')), auth.identify(present('secret'))]);
    auth.time.now = 9_999;
    const third = auth.identify(present('secret'));
    expect([both[1], third]).to.satisfy((callers: readonly unknown[]) => callers.every((caller) => caller === both[0]));
    expect(service.calls).to.have.length(1);
    auth.time.now = 10_000;
    expect(await tryKey(auth, 'secret')).to.deep.equal(both[0]);
    expect(service.calls).to.have.length(2);
  });

  it('caches the result when the key service does not find a key', async () => {
    const service = createService([404, {}]);
    const auth = await start(service);
    for (const at of [0, 9_999]) {
      auth.time.now = at;
      expect(await tryKey(auth, 'secret')).to.equal('invalid_api_key');
    }
    expect(service.calls).to.have.length(1);
    service.answer = [200, { active: true, ...carol }];
    auth.time.now = 10_000;
    expect(await tryKey(auth, 'secret')).to.include(named);
    expect(auth.failures).to.deep.equal({ unknown: 2 });
  });

  for (const [what, answer] of [
    ['does not exist', [404, {}]],
    ['is not active', [200, { active: false }]],
    ['has expired', [200, { active: true, ...carol, expires: new Date(now).toISOString() }]],
  ] as const) {
    it(`refuses a key that ${what} like every other wrong key, and counts it`, async () => {
      const auth = await createAuth(
        createKnownKeys({}),
        { ...options, failures: { limit: 1 } },
        { fetch: createService(answer).fetch },
      );
      expect(await settle(() => auth.identify(present('secret')))).to.include({
        code: 'invalid_api_key',
        message: 'Invalid API key',
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(await tryKey(auth, 'secret')).to.equal('rate_limit_exceeded');
    });
  }

  for (const [how, answer] of [
    ['cannot be reached', new Error('The request to https://keys.internal failed: connect ECONNREFUSED')],
    ['fails', [500, {}]],
    ['refuses the gateway', [401, {}]],
    ['returns an invalid member', [200, { active: 'yes' }]],
    ['names no caller', [200, { active: true }]],
    ['returns invalid limits', [200, { active: true, ...carol, limits: [{ requests: 'many' }] }]],
  ] as const) {
    it(`returns 503 and counts no wrong key when the key service ${how}`, async () => {
      const auth = await createAuth(
        createKnownKeys({ alice: createRecord('known') }),
        { ...options, failures: { limit: 1 } },
        { fetch: createService(answer).fetch },
      );
      for (let time = 0; time < 3; time += 1) expect(await tryKey(auth, 'secret')).to.equal('service_unavailable');
      expect(await tryKey(auth, 'known')).to.equal(alice);
      expect(auth.failures).to.deep.equal({ unavailable: 3 });
      expect(texts(auth)).to.deep.equal([
        'The keys of the key service cannot be read. Keys of the configuration and recently confirmed keys still work.',
      ]);
    });
  }

  it('accepts confirmed keys during an outage of the key service, for the grace period', async () => {
    const service = createService();
    const auth = await start(service);
    await tryKey(auth, 'secret');
    service.answer = new Error('down');
    for (const [at, expected] of [
      [10_000, 'remote:carol'],
      [59_999, 'remote:carol'],
      [70_001, undefined],
    ] as const) {
      auth.time.now = at;
      const result = await tryKey(auth, 'secret');
      expect(expected === undefined ? result : (result as { key: string }).key, `at ${at}`).to.equal(
        expected ?? 'service_unavailable',
      );
    }
    expect(texts(auth)).to.have.length(1);
    service.answer = [200, { active: true, ...carol }];
    auth.time.now = 90_000;
    expect(await tryKey(auth, 'secret')).to.include(named);
    expect(texts(auth)).to.deep.equal([
      'The keys of the key service cannot be read. Keys of the configuration and recently confirmed keys still work.',
      'The keys of the key service can be read again.',
    ]);
  });

  it('does not restore a revoked key during an outage of the key service', async () => {
    const service = createService();
    const auth = await start(service);
    await tryKey(auth, 'secret');
    auth.time.now = 10_000;
    service.answer = [200, { active: false }];
    expect(await tryKey(auth, 'secret')).to.equal('invalid_api_key');
    auth.time.now = 20_000;
    service.answer = new Error('down');
    expect(await tryKey(auth, 'secret')).to.equal('service_unavailable');
  });

  for (const [how, find] of [
    [
      'throws',
      () => {
        throw new Error('disk');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk'))],
  ] as const) {
    it(`accepts keys that the key service confirms while the database ${how}, and refuses no other key`, async () => {
      const service = createService();
      const auth = await start(service, { find });
      expect(await tryKey(auth, 'secret')).to.include(named);
      for (const answer of [[404, {}], [200, { active: false }], new Error('down')] as const) {
        service.answer = answer;
        const error = await settle(() => auth.identify(present(`other ${JSON.stringify(answer)}`)));
        expect(error).to.include({ code: 'service_unavailable' });
        expect((error as Error).cause).to.have.property('message', 'disk');
      }
    });
  }

  it('writes no keys, digests or secrets of the key service to logs and errors', async () => {
    for (const answer of [[404, {}], [500, {}], [200, { active: true }], new Error('down')] as const) {
      const auth = await start(createService(answer));
      const result = await settle(() => auth.identify(present('canary')));
      expect(inspect([result, auth.logged], { depth: 9, showHidden: true })).to.not.match(/canary|[0-9a-f]{64}/);
    }
  });
});
