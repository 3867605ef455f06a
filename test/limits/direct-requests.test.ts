import { expect } from 'chai';
import type { IncomingHttpHeaders } from 'node:http';
import { hello } from '../matrix/sample-bodies.ts';
import { send, type HttpReply } from '../support/http.ts';
import { readLedger } from '../ledger/read-ledger.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { headersOf, secretOf, SIMULATOR, startLimited, VENDOR, type Limited } from './support/limited.ts';

interface Kind {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly operation: string;
  readonly route: string;
  readonly headersOf?: (key: string) => Readonly<Record<string, string>>;
  /** The header of the requests that are left; undefined: the wire has none. */
  readonly left?: string;
  /** What the body of an error has besides `error`. */
  readonly beside: (headers: IncomingHttpHeaders) => object;
}

const none = (): object => ({});
const openai = { left: 'x-ratelimit-remaining-requests', beside: none } as const;
const anthropic = {
  left: 'anthropic-ratelimit-requests-remaining',
  beside: (headers: IncomingHttpHeaders) => ({ type: 'error', request_id: headers['request-id'] }),
} as const;
const googleHeaders = (key: string) => ({ 'x-goog-api-key': secretOf(key) });
const openaiHeaders = (key: string) => ({ authorization: `Bearer ${secretOf(key)}` });

const kinds: readonly Kind[] = [
  { name: 'models', path: '/v1/models', route: '/v1/models', headersOf: openaiHeaders, ...openai },
  { name: 'model', path: `/v1/models/${SIMULATOR}`, route: '/v1/models/{model}', headersOf: openaiHeaders, ...openai },
  { name: 'models-of-messages', path: '/v1/models', route: '/v1/models', ...anthropic },
  { name: 'models-of-google', path: '/v1beta/models', route: '/v1beta/models', headersOf: googleHeaders, beside: none },
]
  .map((kind): Kind => ({ method: 'GET', operation: 'models', ...kind }))
  .concat([
    { name: 'usage', method: 'GET', path: '/v1/usage', route: '/v1/usage', operation: 'endpoint', ...openai },
    {
      name: 'count-tokens',
      method: 'POST',
      path: '/v1/messages/count_tokens',
      route: '/v1/messages/count_tokens',
      operation: 'count-tokens',
      body: { ...hello.messages, model: SIMULATOR },
      ...anthropic,
    },
  ]);

const describeStore = (store: string, workers: number, findRedis: () => RedisServer | undefined): void => {
  describe(`limits of requests that no model answers, ${store}`, function () {
    this.timeout(60_000);
    const folder = createTemporaryFolder();
    const database = `sqlite:${folder.path}/koine.db`;
    let gateway: Limited;
    before(async () => {
      const redis = findRedis()?.url;
      const two = [{ requests: 2, per: '1h' }];
      gateway = await startLimited({
        keys: {
          ...Object.fromEntries(kinds.map(({ name }) => [name, two])),
          tokens: [
            { tokens: 10, per: '1h' },
            { cost: 0.000001, per: 'day' },
          ],
          other: [{ requests: 1, per: '1h', models: [VENDOR] }],
          bad: two,
        },
        workers,
        database,
        ...(redis === undefined ? {} : { redis, redisTimeout: '5s' }),
      });
    });
    after(async () => {
      await gateway?.end();
      folder.remove();
    });
    const ask = ({ method, path, body, headersOf: headers = headersOf }: Kind, key: string): Promise<HttpReply> =>
      send(gateway.url, {
        method,
        path,
        headers: headers(key),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const kindOf = (name: string): Kind => kinds.find((kind) => kind.name === name) as Kind;

    for (const kind of kinds) {
      it(`${kind.name} counts against the requests of its key, with the headers and the 429 of its wire`, async () => {
        const { name, left } = kind;
        for (const remaining of ['1', '0']) {
          const { status, headers, text } = await ask(kind, name);
          expect(status, text).to.equal(200);
          if (left !== undefined) expect(headers).to.include({ [left]: remaining });
        }
        const { status, headers, text } = await ask(kind, name);
        expect(status, text).to.equal(429);
        expect(headers).to.include({ 'x-koine-limit': 'key;requests;1h', 'retry-after': '60' });
        if (left !== undefined) expect(headers).to.include({ [left]: '0' });
        expect(headers['x-request-id']).to.match(/^req_/);
        const { error, ...beside } = JSON.parse(text) as { readonly error: { readonly message: string } };
        expect(error.message).to.match(new RegExp(`^Rate limit exceeded: 2 requests per 1h of the key ${name}; `));
        expect(beside).to.deep.equal(kind.beside(headers));
        expect((await gateway.ask(name)).status).to.equal(429);
      });

      it(`${kind.name} is in the access log and the metrics as what it is, and costs nothing`, async () => {
        const { name, route, operation, method, path } = kind;
        const isExchange = operation === 'count-tokens';
        const find = () =>
          gateway
            .saying(isExchange ? 'exchange' : 'request')
            .filter((line) => line['key_alias'] === name && line['route'] === route);
        await until('three requests are logged', () => find().length >= 3);
        const lines = find().map(({ status, outcome, term, code, ...line }) => {
          expect(line).to.include({ operation, organization: 'acme', project: 'web' });
          if (!isExchange) expect(line).to.include({ method, path });
          expect(line).to.not.have.any.keys('cost_micro', 'tokens_in');
          return [status, outcome, term, code];
        });
        expect(lines).to.have.deep.members([
          [200, 'ok', '--', undefined],
          [200, 'ok', '--', undefined],
          [429, 'rate_limited', 'RL', 'rate_limit_exceeded'],
        ]);
        await until(
          'it is counted',
          async () => (await gateway.figure('koine_http_requests_total', { route, operation, code: '429' })) > 0,
          100,
        );
      });
    }

    it('uses no tokens and no money', async () => {
      for (const kind of kinds) expect((await ask(kind, 'tokens')).status, kind.name).to.equal(200);
      for (const { unit, remaining, spent } of await gateway.left('tokens'))
        expect(unit === 'cost' ? spent : remaining, unit).to.equal(unit === 'cost' ? 0 : 10);
    });

    it('does not count against limits for some models', async () => {
      for (const name of ['models', 'usage', 'models'])
        expect((await ask(kindOf(name), 'other')).status, name).to.equal(200);
    });

    it('counts a request that fails once', async () => {
      const path = '/v1/models/unknown';
      expect((await ask({ ...kindOf('model'), path }, 'bad')).status).to.equal(404);
      expect((await ask({ ...kindOf('usage'), path: '/v1/usage?from=never' }, 'bad')).status).to.equal(400);
      expect((await ask(kindOf('model'), 'bad')).status).to.equal(429);
    });

    it('has no row in the ledger, but count-tokens, which is free, has one', async () => {
      const read = () =>
        readLedger(database, (ledger) =>
          ledger.selectFrom('ledger').select(['operation', 'cost']).where('state', '<>', 'refused').execute(),
        );
      await until('the rows are written', async () => (await read()).some(({ cost }) => cost !== null));
      for (const { operation, cost } of await read())
        expect([operation, Number(cost ?? 0)]).to.deep.equal(['count-tokens', 0]);
    });
  });
};

describeStore('in one process', 1, () => undefined);
describeStore('in two workers', 2, () => undefined);

describe('with a Redis', () => {
  let redis: RedisServer | undefined;
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.stop());
  describeStore('in Redis', 1, () => redis);
});
