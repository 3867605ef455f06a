import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import auth from '../../../plugins/auth/index.ts';
import { definePlugin } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { checkRefusal, everyAsk, readTellable, type Ask } from './access-routes.ts';
import { builtIns, KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';

const organizations = {
  acme: {
    projects: {
      web: {
        keys: {
          alice: { key: KEY },
          gone: { key: 'disabled-key', disabled: true },
          late: { key: 'expired-key', expires: '2020-01-01' },
        },
      },
    },
  },
};
const providers = { simulator: { use: 'simulator' } };
const models = { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } };

const ask = ({ url }: TestGateway, { method, path, headers, body }: Ask, key?: string): Promise<HttpReply> =>
  send(
    url,
    omitUndefined({
      method,
      path,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body,
    }),
  );

/** A gateway whose database of keys cannot be asked. */
const withoutDatabase = definePlugin({
  ...auth,
  create: (options: object, services) =>
    auth.create(options, {
      ...services,
      keys: { find: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')) },
    }),
});

describe('access refusals', () => {
  const gateways: TestGateway[] = [];
  let service: Server;
  let guessing: TestGateway;
  let withService: TestGateway;
  let withoutStore: TestGateway;
  let throttling: TestGateway;

  before(async () => {
    service = createServer((_request, response) => void response.writeHead(500).end('out of order'));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const remote = { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/keys` };
    const start = async (config: object, plugin = auth): Promise<TestGateway> => {
      const gateway = await startTestGateway(
        { providers, models, organizations, plugins: [{ use: 'auth', config }] },
        { ...builtIns, plugin: { auth: plugin } },
      );
      gateways.push(gateway);
      return gateway;
    };
    guessing = await start({ failures: false });
    withService = await start({ failures: false, remote });
    withoutStore = await start({ failures: false }, withoutDatabase);
    throttling = await start({ failures: { limit: 1, block: '1d' } });
    checkRefusal(await ask(throttling, everyAsk[0]!, 'wrong'), 'chat', 401);
  });
  after(async () => {
    for (const gateway of gateways) await gateway.stop();
    service.close();
  });

  const checkNoKey = (reply: HttpReply, wire: (typeof everyAsk)[number]['wire']): void => {
    checkRefusal(reply, wire, 401);
    expect(reply.text).to.include('No API key: ');
  };

  it('every shipped route is covered by these tests', () => {
    expect(everyAsk).to.have.length(48);
    expect(new Set(everyAsk.map(({ wire }) => wire)).size).to.equal(6);
  });

  for (const one of everyAsk) {
    const { title, wire } = one;

    it(`returns 401 for a request without a key at ${title}`, async () => checkNoKey(await ask(guessing, one), wire));

    it(`returns the same 401, body and headers, for an unknown, disabled or expired key at ${title}`, async () => {
      const replies = await Promise.all(['wrong', 'disabled-key', 'expired-key'].map((key) => ask(guessing, one, key)));
      for (const reply of replies) checkRefusal(reply, wire, 401);
      const [unknown, ...others] = replies.map(readTellable);
      for (const other of others) expect(other).to.deep.equal(unknown);
    });

    it(`returns 503 while key lookups fail at ${title}`, async () => {
      for (const gateway of [withoutStore, withService]) {
        const reply = await ask(gateway, one, 'wrong');
        checkRefusal(reply, wire, 503);
        expect(reply.text).to.not.match(/10\.0\.0\.7|order|127\.0\.0\.1/);
      }
      checkRefusal(await ask(withService, one, 'disabled-key'), wire, 401);
    });

    it(`returns 429 with the time to wait for any wrong key after too many of them at ${title}`, async () => {
      for (const key of ['another-wrong', 'wrong', 'disabled-key']) {
        const reply = await ask(throttling, one, key);
        checkRefusal(reply, wire, 429);
        expect(Number(reply.headers['retry-after'])).to.be.within(1, 86_400);
      }
      checkRefusal(await ask(throttling, one), wire, 401);
      expect((await ask(throttling, one, KEY)).status).to.not.be.oneOf([401, 429]);
    });
  }
});
