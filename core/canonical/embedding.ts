import type { ExtraMembers } from './json/extra-members.ts';
import type { Usage } from './usage.ts';

export interface EmbedRequest {
  /** Texts, or token ids where the client tokenised. */
  readonly inputs: readonly (string | readonly number[])[];
  /** Paths of what is to be embedded beside text. It stands in the client's own bytes alone: only its own wire can be told. */
  readonly media?: readonly string[];
  readonly dimensions?: number;
  readonly encoding: 'float' | 'base64';
  readonly extra: ExtraMembers;
}

export interface EmbedResponse {
  readonly model?: string;
  /** In the order of `inputs`. */
  readonly vectors: readonly Float32Array[];
  readonly usage?: Usage;
}
