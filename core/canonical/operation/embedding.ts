import type { ExtraMembers } from '../json/extra-members.ts';
import type { Usage } from '../usage.ts';

/** A request for embedding vectors, independent of any wire. */
export interface EmbedRequest {
  /** Texts, or lists of token ids. */
  readonly inputs: readonly (string | readonly number[])[];
  /** The place of the first of `inputs` in the client's list, if they are a part of it. @example begin: 96 */
  readonly begin?: number;
  /** Paths of media inputs. They exist in the client's bytes only, so only the native lane can send them. */
  readonly media?: readonly string[];
  readonly dimensions?: number;
  readonly encoding: 'float' | 'base64';
  readonly extra: ExtraMembers;
}

/** Embedding vectors, one for each input. */
export interface EmbedResponse {
  readonly model?: string;
  /** In the order of `inputs`. */
  readonly vectors: readonly Float32Array[];
  readonly usage?: Usage;
}
