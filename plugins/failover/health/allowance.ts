import type { UpstreamLimit } from '../../../core/index.ts';

/** What a vendor has said is left of its limits for one credential and model. */
export interface Allowance {
  note(now: number, limits: readonly UpstreamLimit[]): void;
  /** The limit of which less than this share is left. */
  low(now: number, share: number): string | undefined;
}

/** Windows of vendors are a minute: what they said earlier says nothing any more. */
const VALID_MS = 60_000;

export function createAllowance(): Allowance {
  const shares = new Map<string, { readonly share: number; readonly at: number }>();
  return {
    note: (now, limits) => {
      for (const { unit, limit, remaining } of limits) shares.set(unit, { share: remaining / limit, at: now });
    },
    low: (now, share) => {
      for (const [unit, known] of shares) if (known.share < share && now - known.at < VALID_MS) return unit;
      return undefined;
    },
  };
}
