import type { Part } from './part.ts';
import type { ExtraMembers } from './json/extra-members.ts';
import type { RawNumber } from './json/raw-number.ts';
import type { Tool, ToolChoice } from './tool.ts';
import type { JsonObject, WireName } from './wire.ts';

/**
 * One message. Tool results are parts of `user` turns. System turns stay where the client placed them; leading ones are
 * the system prompt.
 */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly Part[];
  readonly extra?: ExtraMembers;
}

/** Asks for JSON, without or with a schema. Absent in a request: the output is text. */
export type OutputFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema';
      readonly name?: string;
      readonly description?: string;
      readonly schema: Readonly<JsonObject>;
      readonly strict?: boolean;
    };

/** How much the model reasons, and whether the client gets the reasoning. */
export interface Reasoning {
  /**
   * none, minimal, low, medium, high, xhigh, max: the union of all vendors. A fit lowers it to what the target
   * supports.
   */
  readonly effort?: string;
  /** Maximum reasoning tokens; 0 switches reasoning off. */
  readonly budget?: number;
  /** Whether the client gets the reasoning (or a summary of it). `false`: it is billed, but not sent. */
  readonly show?: boolean;
}

/** Something that only vendors of the client's wire can do. */
export interface VendorOnly {
  /** The path of the member that requests it. */
  readonly field: string;
  /** What it requests, for an error message: `moderation`. */
  readonly what: string;
}

/**
 * A generation request, independent of any wire. An absent member was not set by the client: there are no defaults
 * here.
 */
export interface GenerateRequest {
  /** The client's wire. */
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
  /** With all its digits if it is beyond 2^53. */
  readonly seed?: number | RawNumber;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly stop?: readonly string[];
  /** Number of choices: `n`, `candidateCount`. */
  readonly choices: number;
  /**
   * The client wants the probabilities of the tokens of the text: the number of the most likely tokens at the place of
   * each; 0: only of the token itself.
   */
  readonly logprobs?: number;
  readonly reasoning?: Reasoning;
  readonly verbosity?: string;
  /** The end user, as set by the client: `user`, `safety_identifier`, `metadata.user_id`. */
  readonly user?: string;
  readonly serviceTier?: string;
  /** Key of the vendor's prompt cache: `prompt_cache_key`. */
  readonly cacheKey?: string;
  /**
   * Whether the vendor is allowed to store the exchange. Absent on wires without such a member. Translation never
   * extends it.
   */
  readonly store?: boolean;
  /**
   * Paths of members that reference vendor state (an earlier response, a conversation, a cache). A target on another
   * wire refuses the request with the first of them.
   */
  readonly vendorState?: readonly string[];
  /**
   * What a target on another wire cannot do, and what must not be left out. Such a target refuses the request with the
   * first of them.
   */
  readonly vendorOnly?: readonly VendorOnly[];
  /** The model is an agent of the vendor, and the client has named it as such. */
  readonly agent?: true;
  /** Path of the member that requests a background response, which the vendor continues after the call has ended. */
  readonly deferred?: string;
  readonly stream: boolean;
  /** Whether the client gets usage in the stream. Always true on wires that send it unconditionally. */
  readonly includeUsage: boolean;
  readonly extra: ExtraMembers;
}
