import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

/** What makes an id token; `sign` signs with the key that the provider publishes. */
export type MakeToken = (claims: JWTPayload, sign: (claims: JWTPayload) => Promise<string>) => Promise<string> | string;

/** A provider that follows the protocol, except for what a test changes. */
export interface HostileProvider {
  readonly issuer: string;
  /** The forms that were sent to the token endpoint. */
  readonly redeemed: URLSearchParams[];
  /** The nonce of the sign-in that is to be answered. */
  nonce: string;
  makeToken: MakeToken;
  /** The next refresh token; absent: it gives none. */
  refreshToken: string | undefined;
  /** Why it refuses to refresh; absent: it does not. */
  refreshError: string | undefined;
  /** 200, or the status of every response. */
  status: number;
  stop(): Promise<void>;
}

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
};

export const startHostileProvider = async (): Promise<HostileProvider> => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const sign = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
  const server = createServer(async (request, response) => {
    const form = await readForm(request);
    if (request.url === '/token') provider.redeemed.push(form);
    const refusal = form.get('grant_type') === 'refresh_token' ? provider.refreshError : undefined;
    const status = refusal === undefined ? provider.status : 400;
    response.writeHead(status, { 'content-type': 'application/json' });
    const error = { error: refusal ?? 'server_error' };
    response.end(JSON.stringify(status === 200 ? await answer(request.url ?? '') : error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = async (path: string): Promise<object> => {
    if (path === '/jwks') return { keys: [jwk] };
    if (path === '/token') {
      const now = Math.floor(Date.now() / 1_000);
      const claims = { iss: issuer, aud: 'koine', sub: 'dora', iat: now, exp: now + 60, nonce: provider.nonce };
      const person = { email: 'dora@acme.example', groups: ['platform'] };
      const id_token = await provider.makeToken({ ...claims, ...person }, sign);
      const { refreshToken: refresh_token } = provider;
      return { access_token: 'access-token-of-dora', token_type: 'bearer', id_token, refresh_token };
    }
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    };
  };
  const provider: HostileProvider = {
    issuer,
    redeemed: [],
    nonce: '',
    makeToken: (claims, signed) => signed(claims),
    refreshToken: undefined,
    refreshError: undefined,
    status: 200,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return provider;
};
