import type { Part } from './part.ts';
import type { ExtraMembers } from './json/extra-members.ts';
import type { Tool, ToolChoice } from './tool.ts';
import type { JsonObject, WireName } from './wire.ts';

/**
 * One message. Tool results are parts of `user` turns. System turns stand where the client put them;
 * the leading ones are the system prompt.
 */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly Part[];
  readonly extra?: ExtraMembers;
}

export type OutputFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema';
      readonly name?: string;
      readonly description?: string;
      readonly schema: Readonly<JsonObject>;
      readonly strict?: boolean;
    };

export interface Reasoning {
  /** none, minimal, low, medium, high, xhigh, max: the union over the vendors; a fit lowers it to what the target knows. */
  readonly effort?: string;
  /** Tokens the model may think; 0 switches thinking off. */
  readonly budget?: number;
  /** The client wants to see the reasoning (or a summary of it). `false`: it is billed, but not shown. */
  readonly show?: boolean;
}

/** A generation request in no vendor's words. Absent means "the client did not say"; nothing here has a default. */
export interface GenerateRequest {
  /** The wire the client spoke. */
  readonly wire: WireName;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelTools?: boolean;
  readonly output?: OutputFormat;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly stop?: readonly string[];
  /** How many answers: `n`, `candidateCount`. */
  readonly choices: number;
  readonly reasoning?: Reasoning;
  readonly verbosity?: string;
  /** The end user, as the client names them: `user`, `safety_identifier`, `metadata.user_id`. */
  readonly user?: string;
  readonly serviceTier?: string;
  /** Routing affinity of the vendor's prompt cache: `prompt_cache_key`. */
  readonly cacheKey?: string;
  /** May the vendor keep the exchange? Absent on wires that cannot say. Translation never widens it. */
  readonly store?: boolean;
  /**
   * Members, by their paths on the client's wire, that refer to something kept at the vendor (an earlier response, a conversation, a cache):
   * a target of another wire refuses the request and names the first of them.
   */
  readonly vendorState?: readonly string[];
  /** The member, by its path on the client's wire, by which it wants an answer that the vendor goes on making after the call is over. */
  readonly deferred?: string;
  readonly stream: boolean;
  /** The client asked for usage in the stream. Wires that always show it set this to true. */
  readonly includeUsage: boolean;
  readonly extra: ExtraMembers;
}
