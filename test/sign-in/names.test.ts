import { expect } from 'chai';
import { json } from '../support/admin.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { send, type HttpReply } from '../support/http.ts';
import { startHostileProvider, type HostileProvider } from './hostile-provider.ts';

const TOKEN = 'admin-token-of-the-names-that-mislead';

interface Entry {
  readonly kind: string;
  readonly actor: string;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly action: string;
}

describe('names that look like another person', () => {
  let provider: HostileProvider;
  let gateway: TestGateway;
  let url: string;
  before(async () => {
    provider = await startHostileProvider();
    gateway = await startTestGateway({
      plugins: ['auth', 'metrics'].map((use) => ({ use })),
      providers: { simulator: { use: 'simulator' } },
      admin: {
        port: 0,
        token: TOKEN,
        oidc: { issuer: provider.issuer, clientId: 'koine', roles: { '*': 'viewer', 'platform': 'admin' } },
      },
    });
    ({ url } = gateway.gateway.admin);
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
  });

  const cookiesOf = ({ headers }: HttpReply): string =>
    (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '').join('; ');
  const signInAs = async (person: object): Promise<string> => {
    provider.makeToken = (claims, sign) => sign({ ...claims, email: undefined, groups: [], ...person });
    const begun = await send(url, { method: 'GET', path: '/admin/login/begin', headers: {} });
    const parameters = new URL(begun.headers.location ?? '').searchParams;
    provider.nonce = parameters.get('nonce') ?? '';
    const query = new URLSearchParams({ code: 'c', state: parameters.get('state') ?? '', iss: provider.issuer });
    const path = `/admin/login/callback?${String(query)}`;
    const reply = await send(url, { method: 'GET', path, headers: { cookie: cookiesOf(begun) } });
    expect(reply.status, reply.text).to.equal(200);
    return cookiesOf(reply);
  };
  const ask = (path: string, headers: object, method = 'GET'): Promise<HttpReply> =>
    send(url, {
      method,
      path,
      headers: { ...json, 'x-koine-page': '1', ...headers },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
  const bearer = { authorization: `Bearer ${TOKEN}` };
  const newest = async (): Promise<Entry | undefined> =>
    (JSON.parse((await ask('/admin/audit?limit=1', bearer)).text) as { readonly entries: readonly Entry[] }).entries[0];

  for (const [what, person, name] of [
    ['an address without a word about its verification', { email: 'boss@acme.example' }, 'sub:mallory'],
    ['an address that is not verified', { email: 'boss@acme.example', email_verified: false }, 'sub:mallory'],
    ['an address with "false" as text', { email: 'boss@acme.example', email_verified: 'false' }, 'sub:mallory'],
    ['an address with "true" as text', { email: 'boss@acme.example', email_verified: 'true' }, 'sub:mallory'],
    ['the name of the token with a space', { email: 'token ', email_verified: true }, 'sub:mallory'],
    ['a command with a space', { email: ' cli:root', email_verified: true }, 'sub:mallory'],
    ['letters of another script', { email: 'b\u043ess@acme.example', email_verified: true }, 'sub:mallory'],
    ['an own address', { email: 'mallory@acme.example', email_verified: true }, 'mallory@acme.example'],
  ] as const)
    it(`an entry of the audit log names issuer and subject of a person with ${what}`, async () => {
      const cookie = await signInAs({ sub: 'mallory', ...person });
      expect((await ask('/admin/reload', { cookie }, 'POST')).status).to.equal(403);
      // A repeated refusal is counted: the sign-in is the newest entry then.
      expect(await newest()).to.include({ kind: 'person', actor: name, issuer: provider.issuer, subject: 'mallory' });
      const { actor } = JSON.parse((await ask('/admin/pages', { cookie })).text) as { readonly actor: object };
      expect(actor).to.deep.equal({ name, role: 'viewer' });
    });

  it('the token is a kind of its own, and finds the calls of a person by the subject', async () => {
    await ask('/admin/reload', bearer, 'POST');
    expect(await newest()).to.include({ kind: 'token', actor: 'token', issuer: null, subject: null });
    const found = JSON.parse((await ask('/admin/audit?subject=mallory&limit=500', bearer)).text) as {
      readonly entries: readonly Entry[];
    };
    expect(found.entries.length).to.be.greaterThan(8);
    expect(new Set(found.entries.map(({ subject }) => subject))).to.deep.equal(new Set(['mallory']));
  });

  it('shows fingerprints of secrets to admins only, and no hash that changes with them', async () => {
    const read = async (headers: object): Promise<{ salt?: string; hash: string; config: object }> =>
      JSON.parse((await ask('/admin/config', headers)).text) as { salt?: string; hash: string; config: object };
    const shown = await read({ cookie: await signInAs({ sub: 'mallory' }) });
    expect(shown).to.not.have.property('salt');
    expect(shown.config).to.have.nested.property('admin.token', '***');
    expect(shown.config).to.have.nested.property('organizations.acme.projects.web.keys.alice.key', '***');
    const all = await read(bearer);
    expect(all.config)
      .to.have.nested.property('admin.token')
      .that.matches(/^\*\*\*[\da-f]{4}$/);
    expect(all.salt).to.match(/^[\da-f]{32}$/);
    const other = await startTestGateway({
      plugins: ['auth', 'metrics'].map((use) => ({ use })),
      providers: { simulator: { use: 'simulator' } },
      admin: {
        port: 0,
        token: `${TOKEN}-of-another-gateway`,
        oidc: { issuer: provider.issuer, clientId: 'koine', roles: { '*': 'viewer', 'platform': 'admin' } },
      },
    });
    const headers = { authorization: `Bearer ${TOKEN}-of-another-gateway` };
    const reply = await send(other.gateway.admin.url, { method: 'GET', path: '/admin/config', headers });
    await other.stop();
    expect((JSON.parse(reply.text) as { readonly hash: string }).hash).to.equal(shown.hash);
  });
});
