import type { JWTVerifyGetKey } from 'jose';
import { isObject } from '../../../../canonical/json/members.ts';
import type { Clock, Fetch } from '../../../../contracts/services.ts';
import { parseJson } from '../../../../framing/json.ts';

const TIMEOUT_MS = 5_000;
/** How long keys are used without a new request. */
const FRESH_MS = 600_000;
/** The shortest time between two requests, also to an issuer that fails: forged tokens must not flood it. */
const COOLDOWN_MS = 30_000;

/** The public keys of the issuer, which are read when a token needs them. */
export class IssuerKeys {
  readonly #findAddress: () => Promise<string | undefined>;
  readonly #fetch: Fetch;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #keys: JWTVerifyGetKey | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;
  #pending: Promise<JWTVerifyGetKey> | undefined;

  /** @param findAddress finds the `jwks_uri`, which may need a request to the issuer */
  constructor(findAddress: () => Promise<string | undefined>, fetch: Fetch, clock: Pick<Clock, 'monotonic'>) {
    this.#findAddress = findAddress;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** For `jwtVerify`. Rejects if no key fits, and during the cooldown if the keys are not known. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const isFresh = this.#clock.monotonic() - this.#readAt < FRESH_MS;
    if (this.#keys !== undefined && (isFresh || this.#isCoolingDown()))
      try {
        return await this.#keys(header, token);
      } catch (thrown) {
        if (this.#isCoolingDown()) throw thrown;
      }
    return (await this.#read())(header, token);
  };

  #isCoolingDown(): boolean {
    return this.#clock.monotonic() - this.#triedAt < COOLDOWN_MS;
  }

  async #read(): Promise<JWTVerifyGetKey> {
    if (this.#pending !== undefined) return this.#pending;
    if (this.#isCoolingDown()) throw new Error('The keys of the issuer could not be read a short time ago.');
    this.#triedAt = this.#clock.monotonic();
    this.#pending = this.#fetchKeys().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #fetchKeys(): Promise<JWTVerifyGetKey> {
    const address = await this.#findAddress();
    if (address === undefined) throw new Error('The issuer states no jwks_uri.');
    const headers = { accept: 'application/json' };
    const { status, body } = await this.#fetch(address, { headers, timeoutMs: TIMEOUT_MS });
    const set = parseJson(new TextDecoder().decode(body));
    if (status !== 200 || !isObject(set) || !Array.isArray(set['keys']))
      throw new Error(`${address} responded with status ${status} and no list of keys.`);
    const { createLocalJWKSet } = await import('jose');
    this.#keys = createLocalJWKSet({ keys: set['keys'] });
    this.#readAt = this.#clock.monotonic();
    return this.#keys;
  }
}
