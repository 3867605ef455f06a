import { createPublicKey, createSign, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** The algorithms of signatures that the keys of an issuer have. */
export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type Algorithm = (typeof algorithms)[number];

export interface SigningKey {
  readonly alg: Algorithm;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** As it is published. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

const generate = (alg: Algorithm): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } => {
  if (alg === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
};

/** One key of each algorithm. @param name is part of their ids */
export const createKeys = (name: string): readonly SigningKey[] =>
  algorithms.map((alg) => {
    const { privateKey, publicKey } = generate(alg);
    const kid = `${name}-${alg}`;
    return { alg, kid, privateKey, publicKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
  });

/** The signature of a JSON web token over any text. */
export function signText({ alg, privateKey }: Pick<SigningKey, 'alg' | 'privateKey'>, text: string): Buffer {
  if (alg === 'RS256') return createSign('RSA-SHA256').update(text).sign(privateKey);
  return sign(alg === 'ES256' ? 'sha256' : null, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

/** The public key in the forms that a confused verifier could use as the secret of an HMAC. */
export const secretsOf = ({ publicKey, jwk }: SigningKey): readonly (string | Buffer)[] => [
  createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({ type: 'spki', format: 'pem' }),
  publicKey.export({ type: 'spki', format: 'der' }),
  JSON.stringify(jwk),
  String(jwk['n'] ?? jwk['x']),
  '',
];
