import { expect } from 'chai';
import { Agent, request as requestHttp } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { json, statusWith } from '../support/admin.ts';
import { KEY } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { startKoine, type KoineProcess } from './koine-process.ts';

const TOKEN = 'Zp4w8Q2nV7xK1mB6tR9yL3cH5jD0fG7s';

describe('wrong secrets from a shared address', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({
      server: { workers: 1 },
      admin: { port: 0, token: TOKEN },
      plugins: [{ use: 'auth', config: { failures: { limit: 3 } } }],
    });
  });
  after(() => koine.end());
  const admin = async (token: string): Promise<number> =>
    (await send(koine.adminUrl, { method: 'GET', path: '/admin/keys', headers: { authorization: `Bearer ${token}` } }))
      .status;

  it('wrong secrets do not lock out the right admin token, in a header or in the login form', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 25; tries += 1) statuses.push(await admin(`wrong-${tries}`));
    expect(statuses).to.deep.equal([...Array(20).fill(401), ...Array(5).fill(429)]);
    expect(await admin(TOKEN)).to.equal(200);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const signIn = (token: string) =>
      send(koine.adminUrl, { path: '/admin/login', headers: form, body: `token=${token}` });
    expect((await signIn('wrong')).status).to.equal(429);
    expect((await signIn(TOKEN)).status).to.equal(303);
  });

  it('wrong secrets do not lock out a valid key that is used from there for the first time', async () => {
    const { text } = await send(koine.adminUrl, {
      path: '/admin/keys',
      headers: { ...json, authorization: `Bearer ${TOKEN}` },
      body: '{"name":"bob"}',
    });
    const { secret } = JSON.parse(text) as { readonly secret: string };
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push(await statusWith(koine, `wrong-${tries}`));
    expect(statuses).to.deep.equal([401, 401, 401, 429, 429, 429]);
    expect([
      await statusWith(koine, secret),
      await statusWith(koine, KEY),
      await statusWith(koine, 'wrong'),
    ]).to.deep.equal([200, 200, 429]);
  });
});

/** Presents wrong keys on one connection, which one worker has, until they are refused with 429. @returns how many */
const presentUntilBlocked = async (url: string, most: number): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const present = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer wrong' };
      const request = requestHttp(`${url}/v1/models`, { agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      request.once('error', reject).end();
    });
  let presented = 0;
  while (presented < most && (await present()) === 401) {
    presented += 1;
    await delay(5);
  }
  agent.destroy();
  return presented;
};

describe('wrong keys at several workers', () => {
  const LIMIT = 200;
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({
      server: { workers: 2 },
      plugins: [{ use: 'auth', config: { failures: { limit: LIMIT, per: '10m', block: '10m' } } }],
    });
  });
  after(() => koine?.end());

  it('an address has its tries once, not at each worker', async () => {
    expect(await presentUntilBlocked(koine.url, 2 * LIMIT)).to.be.within(LIMIT, 2 * LIMIT - 1);
    // Each connection is with one of the two workers. The other learns of the block by its next wrong key.
    for (let connection = 0; connection < 12; connection += 1)
      expect(await presentUntilBlocked(koine.url, LIMIT)).to.be.below(LIMIT);
  });
});
