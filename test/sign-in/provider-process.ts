import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderSettings } from './provider.ts';

/** What the tests use of oidc-provider, which has no types. */
interface Provider {
  callback(): (request: unknown, response: unknown) => void;
}
const specifier = 'oidc-provider';
const { Provider } = (await import(specifier)) as { Provider: new (issuer: string, settings: object) => Provider };

/** The people of the provider: their claims by the name that they enter. The password does not matter. */
const people: Readonly<Record<string, object>> = {
  dora: { email: 'dora@acme.example', email_verified: true, groups: ['staff', 'platform'] },
  emil: { email: 'emil@acme.example', email_verified: true, groups: ['staff'] },
  flora: { email: 'flora@acme.example', email_verified: true, groups: ['guests'] },
  gustav: { email: 'dora@acme.example', email_verified: false, groups: ['staff'] },
};

const start = (
  issuer: string,
  { redirectUris, afterSignOut = [], inIdToken = false, backChannel }: ProviderSettings,
): Provider =>
  new Provider(issuer, {
    clients: [
      {
        client_id: 'koine',
        client_secret: 'provider-client-secret',
        redirect_uris: redirectUris,
        post_logout_redirect_uris: afterSignOut,
        grant_types: ['authorization_code', 'client_credentials'],
        ...(backChannel && {
          backchannel_logout_uri: backChannel.uri,
          backchannel_logout_session_required: backChannel.ofSession,
        }),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    conformIdTokenClaims: !inIdToken,
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    features: {
      clientCredentials: { enabled: true },
      backchannelLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:koine',
        getResourceServerInfo: () => ({ scope: '', audience: 'koine-api', accessTokenFormat: 'jwt' }),
      },
    },
    extraTokenClaims: () => ({ team: { organization: 'acme', project: 'web' }, models: 'simulator/*' }),
    // Its dispatcher refuses the loopback addresses of the tests.
    fetch: (url: string, { dispatcher: _guarded, ...options }: RequestInit & { readonly dispatcher?: unknown }) =>
      fetch(url, options),
    cookies: { keys: ['provider-cookie-key'] },
  });

let provider: ReturnType<Provider['callback']> | undefined;
const server = createServer((request, response) => {
  if (provider === undefined) response.writeHead(503).end();
  else provider(request, response);
});
server.listen(0, 'localhost');
await once(server, 'listening');
const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
process.on('message', (settings: ProviderSettings) => {
  provider = start(issuer, settings).callback();
  process.send?.({ kind: 'configured' });
});
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'listening', issuer });
