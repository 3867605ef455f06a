import { createHmac } from 'node:crypto';
import { mutate } from '../mutate.ts';
import type { Random } from '../random.ts';
import { createKeys, secretsOf, signText, type SigningKey } from './keys.ts';
import type { Claims } from './verify.ts';

/** Keys of an attacker, with the ids and algorithms of real ones or of its own. */
const attacker = createKeys('attacker');

/** What attackers know and want. */
export interface TokenScene {
  readonly keys: readonly SigningKey[];
  /** Claims of a valid token. */
  readonly claims: Claims;
  /** A server of the attacker. */
  readonly evilUrl: string;
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Values of a claim that must not be accepted, or that parsers read differently. */
const oddClaims = (random: Random, { claims }: TokenScene): Claims => {
  const now = Math.floor(Date.now() / 1_000);
  return random.pick<() => Claims>([
    () => ({ iss: random.pick([`${String(claims['iss'])}/`, 'https://evil.example', '', null, [claims['iss']], {}]) }),
    () => ({ aud: random.pick(['other', '', null, [], ['other'], [[claims['aud']]], { 0: claims['aud'] }, '*', 1]) }),
    () => ({ exp: random.pick([now - 7_200, -1, 0, null, String(now + 3_600), [now + 3_600], true, {}]) }),
    () => ({ exp: JSON.rawJSON(random.pick(['1e400', '-1e400', '1e308', '9007199254740993', '1.5'])) }),
    () => ({ nbf: random.pick([now + 7_200, '0', null, {}, 1e300]) }),
    () => ({ iat: random.pick([now + 7_200, '0', null, {}, -1e300]) }),
    () => ({ sub: random.pick(['', null, 1, [], {}, 'а\u0301dmin', 'root\u0000', ' token', 'x'.repeat(3_000), '💥']) }),
    () => ({ nonce: random.pick(['', null, 'other', [claims['nonce']], {}]) }),
    () => ({ azp: random.pick(['other', '', null]), aud: [claims['aud'], 'other'] }),
    () => mutate(claims, random, [claims]) as Claims,
  ])();
};

const writeClaims = (random: Random, scene: TokenScene): string => {
  if (random.chance(0.5)) return JSON.stringify(scene.claims);
  const odd = oddClaims(random, scene);
  const text = JSON.stringify(random.chance(0.9) ? { ...scene.claims, ...odd } : odd) ?? '';
  if (random.chance(0.85) || !text.startsWith('{"')) return text;
  // A duplicate member: the last one counts for JSON.parse, the first one for others.
  return random.chance(0.5)
    ? `{${JSON.stringify(odd).slice(1, -1) || '"a":1'},${text.slice(1)}`
    : `${text.slice(0, -1)},${JSON.stringify(scene.claims).slice(1)}`;
};

const oddHeader = (random: Random, { evilUrl, keys }: TokenScene): Claims =>
  random.pick<() => Claims>([
    () => ({ alg: random.pick(['none', 'None', 'nOnE', 'NONE', '', null, ['RS256'], 'RS256 ', 'rs256', 'HS256']) }),
    () => ({ alg: random.pick(['RS512', 'PS256', 'ES384', 'ES256K', 'RSA-OAEP', 'dir', '__proto__', 'toString']) }),
    () => ({ kid: random.pick(['../../dev/null', "' OR 1=1 --", '', null, ['a'], {}, '\u0000', 'x'.repeat(3_000)]) }),
    () => ({ kid: random.pick(keys).kid }),
    () => ({ kid: undefined }),
    () => ({ jku: `${evilUrl}/jwks`, x5u: `${evilUrl}/x5u`, kid: 'attacker-RS256' }),
    () => ({ jwk: random.pick(attacker).jwk, kid: random.chance(0.5) ? undefined : 'attacker-RS256' }),
    () => ({ x5c: ['AAAA'], x5t: 'AAAA' }),
    () => ({ crit: random.pick([['exp'], [], ['b64'], 'b64', ['__proto__']]), b64: false }),
    () => ({ b64: false }),
    () => ({ zip: 'DEF' }),
    () => ({ cty: 'JWT', typ: random.pick(['JWE', 'none', 1, 'at+jwt', {}]) }),
    () => ({ enc: 'A128GCM', alg: 'dir' }),
    () => ({ filler: 'x'.repeat(random.pick([1_000, 6_000])) }),
  ])();

const makeSignature = (random: Random, text: string, key: SigningKey, scene: TokenScene): string => {
  const genuine = (): Buffer => signText(key, text);
  if (random.chance(0.65)) return genuine().toString('base64url');
  return random.pick<() => string>([
    () => '',
    () => 'AA',
    () => Buffer.alloc(64).toString('base64url'),
    () => Buffer.alloc(256).toString('base64url'),
    () => signText(attacker.find(({ alg }) => alg === key.alg) ?? key, text).toString('base64url'),
    () => signText(random.pick(scene.keys), text).toString('base64url'),
    () => signText(key, `${text}x`).toString('base64url'),
    () =>
      createHmac('sha256', random.pick(secretsOf(key)))
        .update(text)
        .digest('base64url'),
    () => genuine().subarray(1).toString('base64url'),
    () => Buffer.concat([genuine(), Buffer.from([0])]).toString('base64url'),
    () => genuine().toString('base64'),
    () => genuine().toString('hex'),
  ])();
};

/** Changes of the finished text. */
const respellToken = (random: Random, token: string): string => {
  const [head = '', payload = '', signature = ''] = token.split('.');
  return random.pick<() => string>([
    () => `${token}=`,
    () => `${head}.${payload}`,
    () => `${head}.${payload}.`,
    () => `.${payload}.${signature}`,
    () => `${head}..${signature}`,
    () => `${token}.${signature}`,
    () => `${token}.${signature}.AAAA`,
    () => `${head}.${payload}.${signature.slice(0, -1)}${random.pick(['A', 'Q', 'g', 'w', '_'])}`,
    () => token.toLowerCase(),
    () => token.replaceAll('-', '+').replaceAll('_', '/'),
    () => `${token} ${token}`,
    () => `Bearer ${token}`,
    () => JSON.stringify({ protected: head, payload, signature }),
    () => {
      const at = random.below(token.length);
      return `${token.slice(0, at)}${random.pick(['A', 'b', '_', '-', '.'])}${token.slice(at + 1)}`;
    },
  ])();
};

export interface MadeToken {
  readonly token: string;
  /** Nothing of it was changed: it must be accepted. */
  readonly isHonest: boolean;
}

/** A valid token of any of the keys; most have random changes of claims, header, signature and text. */
export function makeToken(random: Random, scene: TokenScene): MadeToken {
  const key = random.pick(scene.keys);
  const usual = { alg: key.alg, typ: 'JWT', kid: key.kid };
  if (random.chance(0.3)) {
    const text = `${encode(JSON.stringify(usual))}.${encode(JSON.stringify(scene.claims))}`;
    return { token: `${text}.${signText(key, text).toString('base64url')}`, isHonest: true };
  }
  const header = JSON.stringify(random.chance(0.5) ? usual : { ...usual, ...oddHeader(random, scene) });
  const text = `${encode(header)}.${encode(writeClaims(random, scene))}`;
  const token = `${text}.${makeSignature(random, text, key, scene)}`;
  return { token: random.chance(0.85) ? token : respellToken(random, token), isHonest: false };
}
