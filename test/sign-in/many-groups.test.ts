import { expect } from 'chai';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { roleWith, signInAtOnce } from './begin.ts';
import { startHostileProvider, type HostileProvider } from './hostile-provider.ts';

/** https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference#groups-overage-claim */
const overage = {
  groups: undefined,
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint: 'https://graph.windows.net/acme/users/dora/getMemberObjects' } },
};

describe('the sign-in of a person with more groups than fit into an id token', () => {
  let provider: HostileProvider;
  let graph: IdentityServer;
  let gateway: TestGateway;
  let url: string;
  before(async () => {
    [provider, graph] = await Promise.all([startHostileProvider(), startIdentityServer()]);
    const groupsUrl = `${graph.url}/v1.0/me/transitiveMemberOf?$select=id`;
    const oidc = { issuer: provider.issuer, clientId: 'koine', roles: { 'group-250': 'editor' }, groupsUrl };
    gateway = await startTestGateway({
      plugins: ['auth', 'dashboard'].map((use) => ({ use })),
      admin: { port: 0, oidc },
    });
    ({ url } = gateway.gateway.admin);
  });
  after(async () => {
    await gateway?.stop();
    await Promise.all([provider?.stop(), graph?.stop()]);
  });
  beforeEach(() => {
    graph.calls.length = 0;
    provider.makeToken = (claims, sign) => sign({ ...claims, ...overage });
  });
  const pageOf = (from: number, count: number): readonly object[] =>
    Array.from({ length: count }, (_, index) => ({ id: `group-${from + index}` }));
  const answerWith = (next: string | undefined): void => {
    graph.answer = ({ url: asked }) => ({
      status: 200,
      body: asked.searchParams.has('$skiptoken')
        ? { value: pageOf(200, 100) }
        : { value: pageOf(0, 200), ...(next === undefined ? {} : { '@odata.nextLink': next }) },
    });
  };

  it('reads the groups by link, page by page, with the access token', async () => {
    answerWith(`${graph.url}/v1.0/me/transitiveMemberOf?$skiptoken=two`);
    const { cookie, reply } = await signInAtOnce(url, provider);
    expect(reply.status, reply.text).to.equal(200);
    expect(await roleWith(url, cookie)).to.deep.equal([200, 'editor']);
    expect(graph.calls.map(({ headers }) => headers.authorization)).to.deep.equal(
      Array.from({ length: 2 }, () => 'Bearer access-token-of-dora'),
    );
  });

  it('reads them for the claim hasgroups as well', async () => {
    provider.makeToken = (claims, sign) => sign({ ...claims, groups: undefined, hasgroups: true });
    answerWith(`${graph.url}/v1.0/me/transitiveMemberOf?$skiptoken=two`);
    const { cookie } = await signInAtOnce(url, provider);
    expect(await roleWith(url, cookie)).to.deep.equal([200, 'editor']);
  });

  it('asks no other address, which would get the access token', async () => {
    answerWith('http://localhost:1/v1.0/me/transitiveMemberOf?$skiptoken=two');
    const { cookie, reply } = await signInAtOnce(url, provider);
    expect([reply.status, cookie]).to.deep.equal([503, '']);
    expect(reply.text).to.include('a link to another address');
    expect(graph.calls).to.have.length(1);
  });

  it('names the scope if the groups may not be read', async () => {
    graph.answer = () => ({ status: 403, body: { error: { code: 'Authorization_RequestDenied' } } });
    const { reply } = await signInAtOnce(url, provider);
    expect(reply.status).to.equal(503);
    expect(reply.text).to.include('status 403').and.include('GroupMember.Read.All');
  });

  it('asks nothing if the id token has the groups', async () => {
    provider.makeToken = (claims, sign) => sign({ ...claims, groups: ['group-250'] });
    const { cookie } = await signInAtOnce(url, provider);
    expect(await roleWith(url, cookie)).to.deep.equal([200, 'editor']);
    expect(graph.calls).to.deep.equal([]);
  });
});
