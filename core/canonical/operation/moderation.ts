import type { ExtraMembers } from '../json/extra-members.ts';
import type { MediaPart, TextPart } from '../part.ts';
import type { Usage } from '../usage.ts';

/** A request to classify content as harmful or not, independent of any wire. */
export interface ModerateRequest {
  /** Each is classified on its own: texts and images that belong together. */
  readonly contents: readonly (readonly (TextPart | MediaPart)[])[];
  readonly extra: ExtraMembers;
}

/** How one content was classified. The categories have the names of the vendor. */
export interface Moderation {
  /** Whether any category applies. */
  readonly flagged: boolean;
  readonly categories: Readonly<Record<string, boolean>>;
  /** From 0 to 1. */
  readonly scores: Readonly<Record<string, number>>;
  /** The kinds of input (`text`, `image`) that a category was searched for in. Absent: the vendor does not say. */
  readonly inputTypes?: Readonly<Record<string, readonly string[]>>;
}

/** The classification of each content. */
export interface ModerateResponse {
  readonly id?: string;
  readonly model?: string;
  /** In the order of `contents`. */
  readonly results: readonly Moderation[];
  readonly usage?: Usage;
}
