import type { Finish } from './finish.ts';
import type { Part } from './part.ts';
import type { ExtraMembers } from './json/extra-members.ts';
import type { Usage } from './usage.ts';
import type { JsonObject } from './wire.ts';

/** One of the alternative answers of a response. */
export interface Choice {
  readonly parts: readonly Part[];
  readonly finish: Finish;
  readonly extra?: ExtraMembers;
}

/** A plain response. `model` is the name reported by the provider. */
export interface GenerateResponse {
  readonly id?: string;
  readonly model?: string;
  readonly choices: readonly Choice[];
  readonly usage?: Usage;
  readonly extra?: ExtraMembers;
}

/**
 * A compacted conversation: in the form of its wire, which only its vendor can read, or as the summary that a model has
 * written.
 */
export type Compaction = ({ readonly body: JsonObject } | { readonly summary: string; readonly id?: string }) & {
  readonly usage?: Usage;
};

/** The response to a request that counts tokens. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly cachedTokens?: number;
  /** True if the gateway estimated it, because the target cannot count. */
  readonly estimated: boolean;
}
