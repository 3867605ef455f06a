import { expect } from 'chai';
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
