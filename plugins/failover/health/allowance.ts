import type { UpstreamLimit } from '../../../core/api/index.ts';

/** Vendors count by the minute: older headers mean nothing. */
const VALID_MS = 60_000;

interface Share {
  readonly share: number;
  readonly at: number;
}

/** The share of a vendor's limits that is left for one credential and model, by the headers of its responses. */
export class Allowance {
  readonly #byUnit = new Map<string, Share>();

  note(now: number, limits: readonly UpstreamLimit[]): void {
    for (const { unit, limit, remaining } of limits) this.#byUnit.set(unit, { share: remaining / limit, at: now });
  }

  /** The unit of a limit of which less than `share` is left. */
  low(now: number, share: number): string | undefined {
    for (const [unit, known] of this.#byUnit) if (known.share < share && now - known.at < VALID_MS) return unit;
    return undefined;
  }
}
