import { expect } from 'chai';
import { startProvider, type TestProvider } from '../sign-in/provider.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { becomes, json } from '../support/admin.ts';
import type { TestGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { createDirectory, GROUP, patchOf, startScimGateway, USER, type ScimCall } from './scim-gateway.ts';

describe('what the directory decides about people', () => {
  let provider: TestProvider;
  let gateway: TestGateway | undefined;
  let url = '';
  let scim: ScimCall;
  before(async () => {
    provider = await startProvider();
  });
  after(() => provider?.stop());
  afterEach(() => gateway?.stop());

  const start = async (rules: object, oidc: object = {}): Promise<TestGateway> => {
    gateway = await startScimGateway(provider.issuer, rules, oidc);
    ({ url } = gateway.gateway.admin);
    scim = createDirectory(url);
    await provider.configure({ redirectUris: [`${url}/admin/login/callback`] });
    return gateway;
  };
  const call = (cookie: string, method: string, path: string, body?: object) =>
    send(url, {
      method,
      path,
      headers: { ...json, cookie, 'x-koine-page': '1' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const makeKey = async (cookie: string): Promise<string> => {
    const made = await call(cookie, 'POST', '/admin/me/keys', { name: 'laptop' });
    expect(made.status, made.text).to.equal(201);
    return (JSON.parse(made.text) as { readonly secret: string }).secret;
  };
  const roleOf = async (cookie: string): Promise<unknown> => {
    const { status, text } = await call(cookie, 'GET', '/admin/me');
    return status === 200 ? (JSON.parse(text) as { readonly role: string }).role : status;
  };

  it('a group gives a role with groupsGiveRoles, and a change of groups ends the session', async () => {
    await start({ groupsGiveRoles: true }, { roles: { staff: 'developer', operators: 'editor' } });
    const { body: user } = await scim('POST', '/Users', { schemas: [USER], userName: 'emil', externalId: 'emil' });
    const members = [{ value: user['id'] }];
    const { body: group } = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'operators', members });
    const { cookie } = await signIn(url, 'emil');
    expect(await roleOf(cookie)).to.equal('editor');
    await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'a group without a role', members });
    expect(await roleOf(cookie)).to.equal('editor');
    const path = `members[value eq "${String(user['id'])}"]`;
    await scim('PATCH', `/Groups/${String(group['id'])}`, patchOf({ op: 'remove', path }));
    expect(await roleOf(cookie)).to.equal(401);
    expect(await roleOf((await signIn(url, 'emil')).cookie)).to.equal('developer');
  });

  it('a group gives no role without groupsGiveRoles', async () => {
    await start({}, { roles: { staff: 'developer', operators: 'admin' } });
    const { body: user } = await scim('POST', '/Users', { schemas: [USER], userName: 'emil', externalId: 'emil' });
    await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'operators', members: [{ value: user['id'] }] });
    expect(await roleOf((await signIn(url, 'emil')).cookie)).to.equal('developer');
  });

  it('people without a user have sessions and keys with unknownUsers: allow, until the directory has deleted theirs', async () => {
    const open = await start({ unknownUsers: 'allow' });
    const { cookie } = await signIn(url, 'emil');
    const secret = await makeKey(cookie);
    await becomes(open, secret, 200);
    const { body } = await scim('POST', '/Users', { schemas: [USER], userName: 'emil', externalId: 'emil' });
    expect(await roleOf(cookie)).to.equal('developer');
    await scim('DELETE', `/Users/${String(body['id'])}`);
    expect(await roleOf(cookie)).to.equal(401);
    await becomes(open, secret, 401);
    expect((await signIn(url, 'emil')).last.status).to.equal(403);
  });

  it('a user is found by another claim, and only if an e-mail address is verified', async () => {
    const strict = await start({ match: { attribute: 'userName', claim: 'email' } }, { roles: { '*': 'developer' } });
    const { body } = await scim('POST', '/Users', { schemas: [USER], userName: 'Dora@acme.example' });
    // The provider has not verified that the address is the one of gustav.
    expect((await signIn(url, 'gustav')).last.status).to.equal(403);
    const { cookie } = await signIn(url, 'dora');
    const secret = await makeKey(cookie);
    await becomes(strict, secret, 200);
    await scim('PATCH', `/Users/${String(body['id'])}`, patchOf({ op: 'replace', path: 'active', value: false }));
    expect(await roleOf(cookie)).to.equal(401);
    await becomes(strict, secret, 401);
  });
});
