import type { JWTPayload } from 'jose';
import { isObject } from '../../../../canonical/json/members.ts';
import type { Clock } from '../../../../contracts/services.ts';
import { setBounded } from '../../../../services/bounded-map.ts';
import type { IssuerKeys } from './issuer-keys.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures that only the issuer can make. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** The oldest token that is accepted, in seconds, and the tolerated difference of clocks. */
const MAX_AGE = 600;
const SKEW = 60;
const MOST_USED = 10_000;

/** Whose sessions the provider has ended: those of one session there, or all of a person. */
export interface SignedOut {
  readonly sid: string | undefined;
  readonly sub: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Verifies the tokens with which the provider ends sessions. Each is accepted once. */
export class LogoutTokens {
  readonly #expected: { readonly issuer: string; readonly audience: string };
  readonly #keys: Pick<IssuerKeys, 'find'>;
  readonly #clock: Pick<Clock, 'now'>;
  /** The `jti` of the tokens of the last minutes. */
  readonly #used = new Map<string, true>();

  constructor(
    expected: { readonly issuer: string; readonly audience: string },
    keys: Pick<IssuerKeys, 'find'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#expected = expected;
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Verifies a token: https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation
   * Rejects with the reason if it is not valid.
   */
  async verify(token: string): Promise<SignedOut> {
    const { jwtVerify } = await import('jose');
    const { payload } = await jwtVerify(token, this.#keys.find, {
      ...this.#expected,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW,
      maxTokenAge: MAX_AGE,
      currentDate: new Date(this.#clock.now()),
      requiredClaims: ['iat', 'jti', 'events'],
    });
    return this.#read(payload);
  }

  #read({ jti = '', nonce, events, sub, sid }: JWTPayload): SignedOut {
    if (!isObject(events) || !isObject(events[EVENT])) throw new Error('The token is for no sign-out.');
    if (nonce !== undefined) throw new Error('The token has a nonce, as an id token has.');
    const signedOut = { sid: textOf(sid), sub: textOf(sub) };
    if (signedOut.sid === undefined && signedOut.sub === undefined) throw new Error('The token has no sub and no sid.');
    if (this.#used.has(jti)) throw new Error('The token was used already.');
    setBounded(this.#used, MOST_USED, jti, true);
    return signedOut;
  }
}
