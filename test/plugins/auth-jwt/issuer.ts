import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

/** An issuer of tokens, whose keys can change, and which can fail. */
export interface Issuer {
  readonly url: string;
  /** How often its keys were fetched. */
  fetches: number;
  /** How often it was called for anything. */
  calls: number;
  /** 200, or the status of every response. */
  status: number;
  /** 200, or the status of the response with its keys. */
  keysStatus: number;
  /** The issuer that its metadata name, if it is not its URL. */
  name: string;
  /** Replaces all keys by a new one. */
  rotate(): Promise<void>;
  /** A token with the present key, for an hour. Claims replace the usual ones; null removes one. */
  sign(claims?: Readonly<Record<string, unknown>>, alg?: string): Promise<string>;
  stop(): Promise<void>;
}

const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;
const createKeys = async (round: number) =>
  Promise.all(
    algorithms.map(async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      const kid = `${alg}-${round}`;
      return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    }),
  );

export const startIssuer = async (): Promise<Issuer> => {
  let round = 1;
  let keys = await createKeys(round);
  const server = createServer((request, response) => {
    issuer.calls += 1;
    if (request.url === '/jwks') issuer.fetches += 1;
    const status = request.url === '/jwks' && issuer.status === 200 ? issuer.keysStatus : issuer.status;
    response.writeHead(status, { 'content-type': 'application/json' });
    const body =
      request.url === '/jwks'
        ? { keys: keys.map(({ jwk }) => jwk) }
        : { issuer: issuer.name, jwks_uri: `${issuer.url}/jwks` };
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = {
    url,
    fetches: 0,
    calls: 0,
    status: 200,
    keysStatus: 200,
    name: url,
    rotate: async () => {
      keys = await createKeys((round += 1));
    },
    sign: async (claims = {}, alg = 'RS256') => {
      const key = keys.find((each) => each.alg === alg);
      if (key === undefined) throw new Error(`no key for ${alg}`);
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: url, aud: 'koine-api', sub: 'dora', iat: now, exp: now + 3_600 };
      const all = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== null);
      const payload = Object.fromEntries(all) as JWTPayload;
      return new SignJWT(payload).setProtectedHeader({ alg, kid: key.kid }).sign(key.privateKey);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
};
