import type { Clock, JsonObject } from '../../core/api/index.ts';
import { subtract, type Rates, type Totals } from './rate-totals.ts';

export const STEP_MS = 10_000;
/** 15 minutes. */
const KEPT = 90;

/** A timer can fire a little early. */
const EARLY_MS = 1_000;
const stepAt = (now: number): number => Math.floor((now + EARLY_MS) / STEP_MS);

/** The start of the step, and what was counted in it. */
export type Step = { readonly time: string } & Rates;

/**
 * The rates of the last quarter of an hour, so that a chart does not begin empty. Every ten seconds the totals of all
 * processes are read once; a request costs nothing more. A step that could not be read at its end is left out.
 */
export class RecentRates {
  readonly #read: () => Promise<Totals>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #steps: Step[] = [];
  /** The number of the step that began with these totals. */
  #last: { readonly number: number; readonly totals: Totals } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(read: () => Promise<Totals>, clock: Pick<Clock, 'now'>) {
    this.#read = read;
    this.#clock = clock;
  }

  /** The step in progress counts from here on. */
  async start(): Promise<void> {
    this.#last = { number: stepAt(this.#clock.now()), totals: await this.#read() };
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Complete steps, oldest first. */
  list(): readonly Step[] {
    const oldest = this.#clock.now() - (KEPT + 1) * STEP_MS;
    return this.#steps.filter(({ time }) => Date.parse(time) >= oldest);
  }

  /** Ends a step. */
  async record(): Promise<void> {
    const number = stepAt(this.#clock.now());
    const last = this.#last;
    if (number === last?.number) return;
    const totals = await this.#read();
    this.#last = { number, totals };
    if (last === undefined || number !== last.number + 1) return;
    this.#steps.push({ time: new Date(last.number * STEP_MS).toISOString(), ...subtract(totals, last.totals) });
    if (this.#steps.length > KEPT) this.#steps.shift();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const now = this.#clock.now();
    this.#timer = setTimeout(() => void this.#end(), (stepAt(now) + 1) * STEP_MS - now).unref();
  }

  async #end(): Promise<void> {
    await this.record();
    this.#schedule();
  }
}

export function startRates(read: () => Promise<Totals>, clock: Pick<Clock, 'now'>): RecentRates {
  const rates = new RecentRates(read, clock);
  void rates.start();
  return rates;
}

const count: JsonObject = { type: 'integer' };
const milliseconds: JsonObject = { type: ['integer', 'null'] };
/** The response of `GET /admin/rates`. */
export const ratesSchema: JsonObject = {
  type: 'object',
  properties: {
    stepSeconds: count,
    inFlight: count,
    rates: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          time: { type: 'string', format: 'date-time' },
          success: count,
          client_error: count,
          limited: count,
          failure: count,
          tokens: count,
          p50Ms: milliseconds,
          p95Ms: milliseconds,
          p95FirstContentMs: milliseconds,
        },
      },
    },
  },
};
