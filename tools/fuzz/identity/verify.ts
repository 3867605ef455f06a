import { createVerify, verify } from 'node:crypto';
import type { SigningKey } from './keys.ts';

/** What a token must have. */
export interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: readonly SigningKey[];
  /** Absent: the token needs none. */
  readonly nonce?: string;
}
export type Claims = Readonly<Record<string, unknown>>;

/** More than the clock skew of the gateway. Random tokens are minutes away from it. */
const SKEW_SECONDS = 60;

const readPart = (part: string | undefined): Claims | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
};

const isSigned = ({ alg, publicKey }: SigningKey, text: string, signature: Buffer): boolean =>
  alg === 'RS256'
    ? createVerify('RSA-SHA256').update(text).verify(publicKey, signature)
    : verify(
        alg === 'ES256' ? 'sha256' : null,
        Buffer.from(text),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        signature,
      );

const isValidNow = ({ exp, nbf }: Claims): boolean => {
  const now = Date.now() / 1_000;
  if (typeof exp !== 'number' || !(exp > now - SKEW_SECONDS)) return false;
  return nbf === undefined || (typeof nbf === 'number' && nbf <= now + SKEW_SECONDS);
};

/**
 * The claims of a token, only if one of the keys has signed it as it is, and it is valid now. Written for this test
 * alone, with Node's own cryptography: what the gateway accepts is compared with it.
 */
export function readGenuine(token: string, { issuer, audience, keys, nonce }: Expected): Claims | undefined {
  const [head, payload, signature, ...rest] = token.split('.');
  if (signature === undefined || rest.length > 0) return undefined;
  const [header, claims] = [readPart(head), readPart(payload)];
  if (header === undefined || claims === undefined || header['crit'] !== undefined) return undefined;
  const key = keys.find(({ alg, kid }) => alg === header['alg'] && (header['kid'] ?? kid) === kid);
  if (key === undefined) return undefined;
  if (!isSigned(key, `${head}.${payload}`, Buffer.from(signature, 'base64url'))) return undefined;
  const audiences: readonly unknown[] = [claims['aud']].flat();
  const isForGateway = claims['iss'] === issuer && audiences.includes(audience);
  const isOfSignIn = nonce === undefined || claims['nonce'] === nonce;
  return isForGateway && isOfSignIn && isValidNow(claims) ? claims : undefined;
}
