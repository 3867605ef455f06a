import { hash } from 'node:crypto';
import { isObject, parseJson } from '../../core/api/codec.ts';
import { GatewayError, type Caller, type RequestHead, type Services } from '../../core/api/index.ts';
import { keyHeaders, setBounded } from '../../core/api/internal.ts';
import type { KeySet } from './key-set.ts';
import type { CallerRules, VerifyRules } from './options.ts';
import { readCaller } from './read-caller.ts';

const TOKEN = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
const SCHEME = /^bearer +/i;

/** A token as a client presents it, in any place where a key can be. Undefined if there is none. */
function readToken({ headers, query }: Pick<RequestHead, 'headers' | 'query'>): string | undefined {
  const bearer = headers['authorization'] ?? '';
  const inHeaders = keyHeaders.map((name) => headers[name]);
  const places = [SCHEME.test(bearer) ? bearer.replace(SCHEME, '').trim() : '', ...inHeaders, query['key']];
  return places.find((text) => text !== undefined && TOKEN.test(text));
}

/** The issuer that the token states, before anything of it is verified. */
function readIssuer(token: string): unknown {
  const [, payload = ''] = TOKEN.exec(token) ?? [];
  const claims = parseJson(Buffer.from(payload, 'base64url').toString());
  return isObject(claims) ? claims['iss'] : undefined;
}

/** How long a verified token is accepted without verifying it again: so long a withdrawn key of the issuer is used. */
const VERIFIED_MS = 60_000;
const MOST = 10_000;

interface Verified {
  readonly caller: Caller;
  /** Of the monotonic clock. */
  readonly until: number;
}

const reasons: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The token has expired. Get a new one.',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is signed with an algorithm that this gateway does not accept.',
  ERR_JWKS_NO_MATCHING_KEY: 'The token is signed with a key that its issuer does not have.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the token is not valid.',
};
const claimReasons: Readonly<Record<string, string>> = {
  aud: 'The token is not for this gateway: it has another audience.',
  nbf: 'The token is not valid yet. Compare the clocks of its issuer and of this gateway.',
  exp: 'The token has no expiry (exp), which this gateway requires.',
};

/** An error of jose as a 401 that says what is wrong with the token. */
const describe = (thrown: unknown): GatewayError => {
  if (GatewayError.is(thrown)) return thrown;
  const { code = '', claim = '' } = thrown as { readonly code?: string; readonly claim?: string };
  const reason = reasons[code] ?? claimReasons[claim] ?? 'The token is not valid.';
  return new GatewayError('invalid_api_key', reason, { cause: thrown });
};

/** Identifies callers by tokens of one issuer. Tokens of others are left to the plugins that follow. */
export class TokenIdentifier {
  readonly #rules: VerifyRules;
  readonly #callerRules: CallerRules;
  readonly #keys: KeySet;
  readonly #clock: Services['clock'];
  readonly #verified = new Map<string, Verified>();

  constructor(rules: VerifyRules, callerRules: CallerRules, keys: KeySet, clock: Services['clock']) {
    this.#rules = rules;
    this.#callerRules = callerRules;
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Synchronous for a token that was verified in the last minute.
   * @throws GatewayError 401 with the reason; 503 while the keys of the issuer are not known
   */
  readonly identify = (head: RequestHead): Caller | undefined | Promise<Caller> => {
    const token = readToken(head);
    if (token === undefined) return undefined;
    const digest = hash('sha256', token);
    const known = this.#verified.get(digest);
    if (known !== undefined && known.until > this.#clock.monotonic()) return known.caller;
    return readIssuer(token) === this.#rules.issuer ? this.#verify(token, digest) : undefined;
  };

  async #verify(token: string, digest: string): Promise<Caller> {
    const { issuer, audience, algorithms, clockSkewMs } = this.#rules;
    const { jwtVerify } = await import('jose');
    const now = this.#clock.now();
    try {
      const { payload } = await jwtVerify(token, this.#keys.find, {
        issuer,
        audience: [...audience],
        algorithms: [...algorithms],
        clockTolerance: clockSkewMs / 1_000,
        currentDate: new Date(now),
        requiredClaims: ['exp', 'aud'],
      });
      const caller = readCaller(payload, this.#callerRules);
      const left = (payload.exp ?? 0) * 1_000 + clockSkewMs - now;
      const until = this.#clock.monotonic() + Math.min(VERIFIED_MS, left);
      setBounded(this.#verified, MOST, digest, { caller, until });
      return caller;
    } catch (thrown) {
      throw describe(thrown);
    }
  }
}
