import { expect } from 'chai';
import { json } from '../support/admin.ts';
import { callOf } from '../support/calls.ts';
import { KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { readError, send, type HttpReply } from '../support/http.ts';
import { entryOf } from '../support/scene.ts';
import { startProvider, type TestProvider } from './provider.ts';

describe('callers with tokens of an identity provider', () => {
  let provider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    provider = await startProvider();
    await provider.configure({ redirectUris: ['http://127.0.0.1:1/callback'] });
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': entryOf('simulator/chat'), 'other/chat': entryOf('simulator/chat') },
      plugins: [
        {
          use: 'auth-jwt',
          config: {
            issuer: provider.issuer,
            audience: 'koine-api',
            claims: {
              key: 'client_id',
              organization: 'team.organization',
              project: 'team.project',
              models: 'models',
              user: 'client_id',
            },
          },
        },
        { use: 'auth' },
        { use: 'rate-limit' },
      ],
      organizations: {
        acme: {
          projects: { web: { keyLimits: [{ requests: 3, per: '1h' }], keys: { alice: { key: KEY, limits: [] } } } },
        },
      },
    });
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
  });

  const getToken = async (): Promise<string> => {
    const reply = await send(provider.issuer, {
      path: '/token',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'authorization': `Basic ${Buffer.from('koine:provider-client-secret').toString('base64')}`,
      },
      body: 'grant_type=client_credentials',
    });
    expect(reply.status, reply.text).to.equal(200);
    return (JSON.parse(reply.text) as { readonly access_token: string }).access_token;
  };
  const named = (name: string): string => `jwt:${provider.issuer.replace('http://', 'http~')}:${name}`;
  const ask = (
    token: string,
    model = 'simulator/chat',
    more: Readonly<Record<string, string>> = {},
  ): Promise<HttpReply> =>
    send(gateway.url, { ...callOf('chat', model), headers: { ...json, authorization: `Bearer ${token}`, ...more } });

  it('serves a caller with an access token, within its models and the limits of its project', async () => {
    const token = await getToken();
    expect((await ask(token, 'simulator/chat', { 'x-koine-user': 'other-user' })).status).to.equal(200);
    await gateway.settled(1);
    expect(gateway.exchanges()[0]).to.include({
      organization: 'acme',
      project: 'web',
      key_alias: named('koine'),
      user: named('koine'),
    });
    expect((await ask(token, 'other/chat')).status).to.equal(404);
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await ask(token)).status);
    expect(statuses.slice(-2)).to.deep.equal([429, 429]);
  });

  it('serves callers with keys beside those with tokens, and says what is wrong with a token', async () => {
    expect((await ask(KEY)).status).to.equal(200);
    expect(readError(await ask('koine_unknown')).error.message).to.equal('Invalid API key');
    const [head, payload, signature = ''] = (await getToken()).split('.');
    const changed = [head, payload, signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`];
    const refused = await ask(changed.join('.'));
    expect([refused.status, readError(refused).error.message]).to.deep.equal([
      401,
      'The signature of the token is not valid.',
    ]);
    expect(JSON.stringify(gateway.lines)).to.not.include(payload);
  });
});
