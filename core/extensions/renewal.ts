import { knowRenewed } from '../canonical/text/known-secrets.ts';
import type { Services } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { withTimeout } from './with-timeout.ts';

/** A value that ends, and is renewed before: a token, a key from a file. */
export interface Renewal<T> {
  /**
   * The current value, or a promise of it while there is none that is valid.
   * @throws GatewayError if it could not be loaded (as a rejected promise)
   */
  get(): T | Promise<T>;
  /** The value that was loaded last, even if it has ended. */
  readonly current: T | undefined;
  /**
   * Loads the value now, for example because the vendor refused it; at most once in 10 seconds. Resolves when no load
   * is in progress, whether or not it failed.
   */
  renew(): Promise<void>;
  /** Stops renewing. A load in progress is aborted. */
  close(): void;
}

/** What a load returns. Times are Unix milliseconds. */
export interface Renewable<T> {
  readonly value: T;
  /** `Infinity` if the value is not known to end. */
  readonly endsAt: number;
  /** When to renew it at the latest. Default: when 80 % of its life are over. */
  readonly renewAt?: number;
  /** Texts of the value that are redacted in logs from now on. Default: the value, if it is a text. */
  readonly secrets?: readonly string[];
}

const secretsOf = <T>({ value, secrets }: Renewable<T>): readonly string[] =>
  secrets ?? (typeof value === 'string' ? [value] : []);

/** The part of its life after which a value is renewed. Of an hour, 12 minutes remain. */
const RENEWED_AFTER = 0.8;
const LOAD_TIMEOUT_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Between two calls of `renew` that load. */
const EARLY_INTERVAL_MS = 10_000;
/** A longer delay of `setTimeout` would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

class Renewer<T> implements Renewal<T> {
  readonly #load: (signal: AbortSignal) => Promise<Renewable<T>>;
  readonly #services: Pick<Services, 'clock' | 'log'>;
  readonly #name: string;
  readonly #closed = new AbortController();
  #current: Renewable<T> | undefined;
  #loading: Promise<T> | undefined;
  #earlyAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #failure: { readonly error: GatewayError; readonly retryAt: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    load: (signal: AbortSignal) => Promise<Renewable<T>>,
    services: Pick<Services, 'clock' | 'log'>,
    name: string,
  ) {
    this.#load = load;
    this.#services = services;
    this.#name = name;
  }

  get(): T | Promise<T> {
    const now = this.#services.clock.now();
    if (this.#current !== undefined && now < this.#current.endsAt) return this.#current.value;
    if (this.#loading !== undefined) return this.#loading;
    return this.#failure !== undefined && now < this.#failure.retryAt
      ? Promise.reject(this.#failure.error)
      : this.#start();
  }

  get current(): T | undefined {
    return this.#current?.value;
  }

  async renew(): Promise<void> {
    const now = this.#services.clock.now();
    if (now >= this.#earlyAt + EARLY_INTERVAL_MS) {
      this.#earlyAt = now;
      this.#startInBackground();
    }
    await this.#loading?.catch(() => {});
  }

  close(): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  #start(): Promise<T> {
    this.#loading ??= this.#run().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  #startInBackground(): void {
    if (this.#closed.signal.aborted) return;
    // The failure has been logged.
    this.#start().catch(() => {});
  }

  async #run(): Promise<T> {
    const { clock } = this.#services;
    const late = new AbortController();
    try {
      const loaded = await withTimeout(
        this.#load(AbortSignal.any([this.#closed.signal, late.signal])),
        LOAD_TIMEOUT_MS,
        () => {
          late.abort();
          return new Error(`there was no result within ${LOAD_TIMEOUT_MS / 1_000} s`);
        },
      );
      secretsOf(loaded).forEach(knowRenewed);
      if (loaded.endsAt <= clock.now()) throw new Error('it had already ended when it was loaded; compare the clocks');
      this.#succeed(loaded);
      return loaded.value;
    } catch (thrown) {
      throw this.#fail(thrown);
    }
  }

  #succeed(loaded: Renewable<T>): void {
    const { clock, log } = this.#services;
    if (this.#failures > 0) log.info({ failures: this.#failures }, `${this.#name} could be loaded again`);
    this.#current = loaded;
    this.#failures = 0;
    this.#failure = undefined;
    const now = clock.now();
    const { endsAt, renewAt = endsAt } = loaded;
    this.#schedule(Math.max(FIRST_RETRY_MS, Math.min((endsAt - now) * RENEWED_AFTER, renewAt - now)));
  }

  #fail(thrown: unknown): GatewayError {
    const { clock, log } = this.#services;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const error = GatewayError.is(thrown)
      ? thrown
      : new GatewayError('upstream_credential', `${this.#name} could not be loaded: ${reason}`, { cause: thrown });
    if (this.#closed.signal.aborted) return error;
    const now = clock.now();
    const retryMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#failure = { error, retryAt: now + retryMs };
    const remaining = (this.#current?.endsAt ?? now) - now;
    const consequence = remaining > 0 ? 'the current one stays in use' : 'calls that need it fail';
    const fields = { failures: this.#failures, retry_ms: retryMs, reason };
    log.warn(fields, `${this.#name} could not be loaded: ${consequence}`);
    this.#schedule(retryMs);
    return error;
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closed.signal.aborted || ms === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(
      () => (ms > LONGEST_TIMER_MS ? this.#schedule(ms - LONGEST_TIMER_MS) : this.#startInBackground()),
      Math.min(ms, LONGEST_TIMER_MS),
    ).unref();
  }
}

/**
 * Keeps a value that ends, such as a token: one load for all callers, renewed in the background when 80 % of its life
 * are over, so at least 5 minutes before the end of one that lives 25 minutes or longer. While a renewal fails, the
 * current value is used as long as it is valid, and the load is repeated after 1 s, 2 s, 4 s and so on up to a minute;
 * calls without a valid value fail at once until then. Each failure is a line of the log: the error of `load` must not
 * contain the secret. A value that is a text is redacted in logs, and so are `secrets`. Nothing is loaded before the
 * first `get`.
 * @param load its signal aborts after 30 s, and when the renewal is closed
 * @param name begins log lines and errors: "The token of the service account"
 * @example
 * const tokens = createRenewal(
 *   async (signal) => {
 *     const { token, expiresIn } = await requestToken(signal);
 *     return { value: token, endsAt: services.clock.now() + expiresIn * 1_000 };
 *   },
 *   services,
 *   'The token of the service account',
 * );
 * const token = await tokens.get();
 */
export const createRenewal = <T>(
  load: (signal: AbortSignal) => Promise<Renewable<T>>,
  services: Pick<Services, 'clock' | 'log'>,
  name = 'A credential',
): Renewal<T> => new Renewer(load, services, name);
