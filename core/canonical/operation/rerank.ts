import type { ExtraMembers } from '../json/extra-members.ts';
import type { Usage } from '../usage.ts';

/** A request to order documents by how well they fit a query, independent of any wire. */
export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
  /** Paths of documents that are no text. They exist in the client's bytes only: only the native lane can send them. */
  readonly media?: readonly string[];
  /** How many of the best documents are returned. Absent: all. */
  readonly top?: number;
  /** Whether results repeat their document, on wires where they can. */
  readonly withDocuments?: boolean;
  readonly extra: ExtraMembers;
}

/** A document by its number in the request, and how well it fits. */
export interface Ranked {
  readonly index: number;
  /** Higher is better. Most vendors use 0 to 1. */
  readonly score: number;
}

/** Documents, the best first. */
export interface RerankResponse {
  readonly id?: string;
  readonly model?: string;
  readonly results: readonly Ranked[];
  readonly usage?: Usage;
}

/**
 * What vendors bill as one search: https://cohere.com/pricing. The estimate for limits; long documents can count as
 * several.
 */
export const DOCUMENTS_PER_SEARCH = 100;
