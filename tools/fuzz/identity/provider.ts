import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeys, type SigningKey } from './keys.ts';

export interface ProviderAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}
/** An identity provider whose responses can be anything. */
export interface FuzzProvider {
  readonly issuer: string;
  readonly keys: readonly SigningKey[];
  /** How often each path was requested. */
  readonly requested: Map<string, number>;
  /** The response of the token endpoint. */
  redeem: () => ProviderAnswer;
  /** The response of any other path; undefined: as the protocol says. */
  override: (path: string) => ProviderAnswer | undefined;
  stop(): Promise<void>;
}

const drain = async (request: IncomingMessage): Promise<void> => {
  for await (const _chunk of request);
};

const describe = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  end_session_endpoint: `${issuer}/end`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
  authorization_response_iss_parameter_supported: true,
});

export async function startFuzzProvider(): Promise<FuzzProvider> {
  const keys = createKeys('issuer');
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    await drain(request).catch(() => {});
    const path = new URL(request.url ?? '/', 'http://provider').pathname;
    provider.requested.set(path, (provider.requested.get(path) ?? 0) + 1);
    const usual = (): ProviderAnswer => {
      if (path === '/token') return provider.redeem();
      const body = path === '/jwks' ? { keys: keys.map(({ jwk }) => jwk) } : describe(provider.issuer);
      return { status: 200, text: JSON.stringify(body) };
    };
    const { status, headers, text } = provider.override(path) ?? usual();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: FuzzProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    requested: new Map(),
    redeem: () => ({ status: 500, text: '{}' }),
    override: () => undefined,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}
