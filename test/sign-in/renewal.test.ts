import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { RoleRenewal } from '../../core/http/admin/login/oidc/renewal.ts';
import { Sessions } from '../../core/http/admin/login/sessions.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { roleWith, signInAtOnce } from './begin.ts';
import { startHostileProvider, type HostileProvider } from './hostile-provider.ts';

const roles = { platform: 'admin', staff: 'viewer' } as const;

describe('the roles of a session with admin.oidc.refresh', () => {
  let provider: HostileProvider;
  let gateway: TestGateway;
  let url: string;
  before(async () => {
    provider = await startHostileProvider();
    const oidc = { issuer: provider.issuer, clientId: 'koine', roles, refresh: '1ms' };
    gateway = await startTestGateway({
      plugins: ['auth', 'dashboard'].map((use) => ({ use })),
      admin: { port: 0, oidc },
    });
    ({ url } = gateway.gateway.admin);
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
  });
  beforeEach(() => {
    Object.assign(provider, { refreshToken: 'refresh-1', refreshError: undefined, status: 200 });
    provider.makeToken = (claims, sign) => sign(claims);
    provider.redeemed.length = 0;
  });
  /** After the millisecond in which the gateway does not ask again. */
  const readRole = async (cookie: string): Promise<readonly unknown[]> => {
    await delay(5);
    return roleWith(url, cookie);
  };
  const giveGroups = (...groups: readonly string[]): void => {
    provider.makeToken = (claims, sign) => sign({ ...claims, groups: [...groups] });
  };

  it('are those that the provider states at the next refresh', async () => {
    const { cookie } = await signInAtOnce(url, provider);
    expect(await readRole(cookie)).to.deep.equal([200, 'admin']);
    giveGroups('staff');
    expect(await readRole(cookie)).to.deep.equal([200, 'viewer']);
    giveGroups('platform');
    expect(await readRole(cookie)).to.deep.equal([200, 'admin']);
  });

  it('are read with the refresh token of the last answer', async () => {
    const { cookie } = await signInAtOnce(url, provider);
    provider.refreshToken = 'refresh-2';
    await readRole(cookie);
    provider.refreshToken = undefined;
    await readRole(cookie);
    await readRole(cookie);
    const used = provider.redeemed.map((form) => form.get('refresh_token'));
    expect(used).to.deep.equal([null, 'refresh-1', 'refresh-2', 'refresh-2']);
  });

  it('end the session of a person who has none any more, or whom the provider refuses', async () => {
    const one = await signInAtOnce(url, provider);
    giveGroups('guests');
    expect(await readRole(one.cookie)).to.deep.equal([401]);
    giveGroups('platform');
    expect(await readRole(one.cookie)).to.deep.equal([401]);
    const other = await signInAtOnce(url, provider);
    provider.refreshError = 'invalid_grant';
    expect(await readRole(other.cookie)).to.deep.equal([401]);
  });

  it('end the session if the token is that of another person', async () => {
    const { cookie } = await signInAtOnce(url, provider);
    provider.makeToken = (claims, sign) => sign({ ...claims, sub: 'mallory' });
    expect(await readRole(cookie)).to.deep.equal([401]);
  });

  it('need a refresh token at the sign-in', async () => {
    provider.refreshToken = undefined;
    const { cookie, reply } = await signInAtOnce(url, provider);
    expect([reply.status, cookie]).to.deep.equal([503, '']);
    expect(reply.text).to.include('add offline_access to admin.oidc.scopes');
  });
});

describe('a session that is due for a refresh', () => {
  const HOUR = 3_600_000;
  const refresh = 600_000;
  const person = { name: 'dora', role: 'admin', id: 'https://login.example dora' } as const;
  const answers: (() => Promise<object>)[] = [];
  const create = () => {
    const clock = { time: 0, monotonic: () => clock.time, now: () => clock.time };
    const sessions = new Sessions(clock);
    const calls: string[] = [];
    const provider = {
      refresh: (token: string) => {
        calls.push(token);
        return (answers.shift() ?? (() => Promise.reject(new Error('no response'))))();
      },
    };
    const config = { issuer: 'https://login.example', refresh, roles, rolesClaim: 'groups', nameClaim: 'name' };
    const log = { info: () => {}, warn: () => {} };
    const renewal = new RoleRenewal({
      signIn: { config, provider },
      sessions,
      clock,
      log,
    } as unknown as ConstructorParameters<typeof RoleRenewal>[0]);
    const session = sessions.open(person, 12 * HOUR, { refreshToken: 'one' });
    const roleAt = async (time: number): Promise<string | undefined> => {
      clock.time = time;
      const actor = sessions.find(session);
      return actor === undefined ? undefined : (await renewal.renew(session, actor))?.role;
    };
    return { sessions, session, calls, roleAt };
  };
  const answer = (groups: readonly string[]) => () =>
    Promise.resolve({ claims: { sub: 'dora', groups }, refreshToken: 'two' });
  beforeEach(() => answers.splice(0));

  it('is refreshed once for requests at the same time, and not before it is due', async () => {
    const { calls, roleAt } = create();
    expect(await roleAt(refresh - 1)).to.equal('admin');
    expect(calls).to.deep.equal([]);
    answers.push(answer(['staff']));
    expect(await Promise.all([roleAt(refresh), roleAt(refresh), roleAt(refresh)])).to.deep.equal([
      'viewer',
      'viewer',
      'viewer',
    ]);
    expect(calls).to.deep.equal(['one']);
    expect(await roleAt(2 * refresh - 1)).to.equal('viewer');
  });

  it('goes on for an hour while the provider fails, which is called twice a minute at most', async () => {
    const { calls, roleAt } = create();
    expect(await roleAt(refresh)).to.equal('admin');
    expect(await roleAt(refresh + 29_999)).to.equal('admin');
    expect(calls).to.have.length(1);
    expect(await roleAt(refresh + 30_000)).to.equal('admin');
    expect(calls).to.have.length(2);
    expect(await roleAt(refresh + HOUR)).to.equal(undefined);
  });

  it('that ends meanwhile does not come back', async () => {
    const { sessions, session, roleAt } = create();
    const { promise, resolve } = Promise.withResolvers<object>();
    answers.push(() => promise);
    const role = roleAt(refresh);
    sessions.close(session);
    resolve(await answer(['staff'])());
    expect([await role, sessions.find(session)]).to.deep.equal([undefined, undefined]);
  });
});
