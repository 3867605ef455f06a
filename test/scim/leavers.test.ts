import { expect } from 'chai';
import { startKoine, type KoineProcess } from '../processes/koine-process.ts';
import { startProvider, type TestProvider } from '../sign-in/provider.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { json } from '../support/admin.ts';
import { callOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { freshPostgres } from '../support/servers/databases.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { until } from '../support/until.ts';
import { createDirectory, patchOf, settingsOf, USER, type ScimCall } from './scim-gateway.ts';

/** A person with a session at both gateways, and a key. */
interface Employee {
  readonly name: string;
  readonly user: string;
  readonly cookies: readonly string[];
  readonly secret: string;
}

describe('people who leave', function suite() {
  this.timeout(180_000);
  let provider: TestProvider;
  let gateways: readonly KoineProcess[] = [];
  let directory: ScimCall;
  before(async function begin() {
    requirePostgres(this);
    provider = await startProvider();
    const store = { database: await freshPostgres() };
    const start = (workers: number): Promise<KoineProcess> =>
      startKoine({
        ...settingsOf(provider.issuer),
        plugins: [{ use: 'auth', config: { failures: false } }],
        server: { workers },
        store,
      });
    gateways = [await start(2), await start(1)];
    await provider.configure({ redirectUris: gateways.map(({ adminUrl }) => `${adminUrl}/admin/login/callback`) });
    directory = createDirectory(gateways[0]?.adminUrl ?? '');
  });
  after(async () => {
    for (const gateway of gateways) await gateway.end();
    await provider?.stop();
  });

  const call = (gateway: KoineProcess, cookie: string, method: string, path: string, body?: object) =>
    send(gateway.adminUrl, {
      method,
      path,
      headers: { ...json, cookie, 'x-koine-page': '1' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const use = async (gateway: KoineProcess, secret: string): Promise<number> => {
    const { path, body } = callOf('chat', 'simulator/chat');
    const headers = { ...json, authorization: `Bearer ${secret}`, connection: 'close' };
    return (await send(gateway.url, { path, body, headers })).status;
  };
  /** The status of the person's session and key, at both gateways. Two requests with the key reach both workers. */
  const statusesOf = async ({ cookies, secret }: Employee): Promise<readonly number[]> => {
    const found: number[] = [];
    for (const [index, gateway] of gateways.entries()) {
      found.push((await call(gateway, cookies[index] ?? '', 'GET', '/admin/me')).status);
      for (let request = 0; request < 4; request++) found.push(await use(gateway, secret));
    }
    return found;
  };
  const all = (status: number): readonly number[] => Array.from({ length: 10 }, () => status);
  const employ = async (name: string): Promise<Employee> => {
    const { status, body } = await directory('POST', '/Users', { schemas: [USER], userName: name, externalId: name });
    expect(status, JSON.stringify(body)).to.equal(201);
    const cookies: string[] = [];
    for (const { adminUrl } of gateways) cookies.push((await signIn(adminUrl, name)).cookie);
    const made = await call(gateways[1]!, cookies[1] ?? '', 'POST', '/admin/me/keys', { name: `${name}-laptop` });
    expect(made.status, made.text).to.equal(201);
    const { secret } = JSON.parse(made.text) as { readonly secret: string };
    const employee = { name, user: String(body['id']), cookies, secret };
    expect(await statusesOf(employee)).to.deep.equal(all(200));
    return employee;
  };
  const becomes = (employee: Employee, expected: readonly number[]): Promise<void> =>
    until(`${employee.name}: ${String(expected)}`, async () => String(await statusesOf(employee)) === String(expected));

  it('lose sessions and keys on every gateway when they are inactive, get the keys back when active, and lose them for good when deleted', async () => {
    const dora = await employ('dora');
    const emil = await employ('emil');
    await directory('PATCH', `/Users/${dora.user}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }));
    await becomes(dora, all(401));
    const refused = await signIn(gateways[1]?.adminUrl ?? '', 'dora');
    expect([refused.last.status, refused.last.text]).to.have.property('0', 403);
    expect(refused.last.text).to.include('not active any more');
    expect(await statusesOf(emil)).to.deep.equal(all(200));

    await directory('PATCH', `/Users/${dora.user}`, patchOf({ op: 'replace', value: { active: true } }));
    // The sessions have ended for good, the key was only suspended.
    await becomes(
      dora,
      all(200).map((_, index) => (index % 5 === 0 ? 401 : 200)),
    );
    const cookies: string[] = [];
    for (const { adminUrl } of gateways) cookies.push((await signIn(adminUrl, 'dora')).cookie);
    await becomes({ ...dora, cookies }, all(200));

    expect((await directory('DELETE', `/Users/${dora.user}`)).status).to.equal(204);
    await becomes({ ...dora, cookies }, all(401));
    await directory('POST', '/Users', { schemas: [USER], userName: 'dora', externalId: 'dora' });
    const again: string[] = [];
    for (const { adminUrl } of gateways) again.push((await signIn(adminUrl, 'dora')).cookie);
    await becomes(
      { ...dora, cookies: again },
      all(401).map((_, index) => (index % 5 === 0 ? 200 : 401)),
    );
    expect(await statusesOf(emil)).to.deep.equal(all(200));
  });

  it('cannot sign in if the directory has never had a user for them', async () => {
    const { last } = await signIn(gateways[0]?.adminUrl ?? '', 'gustav');
    expect([last.status, /has not provisioned you/.test(last.text)]).to.deep.equal([403, true]);
  });
});
