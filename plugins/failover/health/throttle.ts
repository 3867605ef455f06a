import type { CircuitRules } from '../config/settings.ts';

/**
 * Three refusals halve the rate, and one good call doubles it: it falls if more than three of four calls are refused.
 */
const REFUSALS = 3;
/** After this many halvings only probes are left: 32 calls per second become one probe per second. */
const SLOWEST = 6 * REFUSALS;
const LONGEST = SLOWEST + 16 * REFUSALS;

/**
 * How often a target that refuses calls is still called if no other target is left. The rate follows its responses: the
 * share of calls that the vendor would serve is served, and a vendor that serves none gets about one call per
 * `circuit.open`. Monotonic milliseconds.
 */
export class Throttle {
  readonly #rules: () => Pick<CircuitRules, 'openMs' | 'longestMs'>;
  /** Refusals, less those that good calls have made up for. */
  #level = 0;
  #lastAt = 0;

  /** @param rules read on every use: a reload can change them */
  constructor(rules: () => Pick<CircuitRules, 'openMs' | 'longestMs'>) {
    this.#rules = rules;
  }

  /** When the next call is allowed: `now` or earlier means at once. */
  at(): number {
    return this.#level < REFUSALS ? 0 : this.#lastAt + this.#spacingMs();
  }

  /** Whether nearly every recent call has been refused. */
  get isSlowest(): boolean {
    return this.#level >= SLOWEST;
  }

  /** Records a call at that time. Later calls get later times. */
  take(at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at);
  }

  /** @param lasting no pause helps, as with a spent quota: the spacing keeps doubling, up to `circuit.longest` */
  refused(now: number, lasting: boolean): void {
    if (lasting) this.#level = this.#level < SLOWEST ? SLOWEST : Math.min(LONGEST, this.#level + REFUSALS);
    else if (this.#level < SLOWEST) this.#level += 1;
    this.#lastAt = Math.max(this.#lastAt, now);
  }

  succeeded(): void {
    if (this.#level > 0) this.#level = Math.max(0, Math.min(this.#level, SLOWEST) - REFUSALS);
  }

  #spacingMs(): number {
    const { openMs, longestMs } = this.#rules();
    return Math.min(longestMs, openMs * 2 ** Math.floor((this.#level - SLOWEST) / REFUSALS));
  }
}
