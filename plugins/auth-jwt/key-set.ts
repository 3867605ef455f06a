import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { GatewayError, type Services } from '../../core/api/index.ts';
import { isObject, parseJson } from '../../core/api/codec.ts';

const TIMEOUT_MS = 5_000;
/** How long keys are used without a new request. */
const FRESH_MS = 600_000;
/** How long they are used while the issuer does not respond. */
const GRACE_MS = 24 * 3_600_000;
/** The shortest time between two requests: tokens with invented keys must not flood the issuer. */
const COOLDOWN_MS = 30_000;
/**
 * The cooldown after the first failure while no keys are known. It doubles up to {@link COOLDOWN_MS}, so that callers
 * wait a second, not half a minute, for an issuer that starts with the gateway.
 */
const FIRST_COOLDOWN_MS = 1_000;

interface Keys {
  readonly at: number;
  readonly find: JWTVerifyGetKey;
}

/** jose checks each key when a token needs it. */
const isKeySet = (set: object): set is JSONWebKeySet => 'keys' in set && Array.isArray(set.keys);

/** The public keys of the issuer: cached, and fetched again when a token has a new one. */
export class KeySet {
  readonly #issuer: string;
  readonly #jwksUri: string | undefined;
  readonly #services: Pick<Services, 'fetch' | 'clock' | 'log'>;
  #keys: Keys | undefined;
  /** No request starts before. Monotonic. */
  #nextAt = -Infinity;
  #pending: Promise<Keys> | undefined;
  /** Since the last success. */
  #failures = 0;

  constructor(issuer: string, jwksUri: string | undefined, services: Pick<Services, 'fetch' | 'clock' | 'log'>) {
    this.#issuer = issuer;
    this.#jwksUri = jwksUri;
    this.#services = services;
  }

  /** @throws GatewayError 503 without keys; an error of jose if none of them fits */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.#current();
    try {
      return await keys.find(header, token);
    } catch (thrown) {
      const isUnknown = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_JWKS_NO_MATCHING_KEY';
      if (!isUnknown || this.#isCoolingDown()) throw thrown;
      return (await this.#refresh()).find(header, token);
    }
  };

  #isCoolingDown(): boolean {
    return this.#services.clock.monotonic() < this.#nextAt;
  }

  /** Keys that can be used without a request, or while the issuer does not respond. */
  #known(maxAge: number): Keys | undefined {
    const keys = this.#keys;
    return keys !== undefined && this.#services.clock.monotonic() - keys.at < maxAge ? keys : undefined;
  }

  #current(): Keys | Promise<Keys> {
    const fresh = this.#known(FRESH_MS);
    if (fresh !== undefined) return fresh;
    const known = this.#known(GRACE_MS);
    if (known !== undefined) return this.#isCoolingDown() ? known : this.#refresh().catch(() => known);
    if (this.#pending === undefined && this.#isCoolingDown()) throw this.#unavailable();
    return this.#refresh();
  }

  #unavailable(cause?: unknown): GatewayError {
    const retryAfterMs = Math.max(0, this.#nextAt - this.#services.clock.monotonic());
    return new GatewayError('service_unavailable', undefined, { retryAfterMs, cause });
  }

  #refresh(): Promise<Keys> {
    this.#pending ??= this.#fetchKeys().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #fetchKeys(): Promise<Keys> {
    const { clock, log } = this.#services;
    this.#nextAt = clock.monotonic() + COOLDOWN_MS;
    try {
      const { createLocalJWKSet } = await import('jose');
      const set = await this.#get(this.#jwksUri ?? (await this.#discover()));
      if (!isKeySet(set)) throw new Error('The issuer has no list of keys.');
      this.#keys = { at: clock.monotonic(), find: createLocalJWKSet(set) };
      if (this.#failures > 0) log.info({ issuer: this.#issuer }, 'the keys of the issuer of tokens can be read again');
      this.#failures = 0;
      return this.#keys;
    } catch (cause) {
      if (this.#failures === 0)
        log.warn({ issuer: this.#issuer, err: cause }, 'the keys of the issuer of tokens cannot be read');
      const cooldown = this.#known(GRACE_MS) === undefined ? FIRST_COOLDOWN_MS * 2 ** this.#failures : COOLDOWN_MS;
      this.#failures += 1;
      this.#nextAt = clock.monotonic() + Math.min(COOLDOWN_MS, cooldown);
      throw this.#unavailable(cause);
    }
  }

  async #discover(): Promise<string> {
    const { issuer, jwks_uri: address } = await this.#get(
      `${this.#issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    );
    if (issuer !== this.#issuer) throw new Error(`The issuer calls itself ${JSON.stringify(issuer)}.`);
    if (typeof address !== 'string') throw new Error('The issuer states no jwks_uri.');
    return address;
  }

  async #get(address: string): Promise<Readonly<Record<string, unknown>>> {
    const { status, body } = await this.#services.fetch(address, {
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
    });
    const json = parseJson(new TextDecoder().decode(body));
    if (status === 200 && isObject(json)) return json;
    throw new Error(`${address} responded with status ${status}${status === 200 ? ', but without JSON' : ''}.`);
  }
}
