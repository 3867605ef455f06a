import type { CacheMark } from './part.ts';
import type { JsonObject } from './wire.ts';

/** A search of the web that the vendor carries out, as a tool of a request. An absent member was not set. */
export interface WebSearch {
  /** Only results of these domains. */
  readonly allowedDomains?: readonly string[];
  /** No results of these domains. */
  readonly blockedDomains?: readonly string[];
  /** Where the user is, approximately. */
  readonly location?: {
    /** Two letters. */
    readonly country?: string;
    readonly region?: string;
    readonly city?: string;
    /** Of the IANA list: `Europe/Berlin`. */
    readonly timezone?: string;
  };
  /** The largest number of searches. */
  readonly maxUses?: number;
  /** How much of the results the model gets: low, medium, high. */
  readonly contextSize?: string;
  /** Names of members that only the client's wire has. */
  readonly other?: readonly string[];
}

/**
 * A tool for the model to call. `hosted` tools run at the vendor, and work only on the same wire, except a web search.
 */
export interface Tool {
  readonly name: string;
  readonly kind: 'function' | 'custom' | 'hosted';
  readonly description?: string;
  /** JSON Schema of a function's input; absent if the client sent none. Passed on unchanged. */
  readonly schema?: Readonly<JsonObject>;
  readonly strict?: boolean;
  readonly cache?: CacheMark;
  /**
   * The namespace in which the client declared the tool, and its name there. `name` is then `<namespace>__<tool>`,
   * which every wire can express.
   */
  readonly namespace?: { readonly name: string; readonly tool: string };
  /**
   * Vendor-specific members: the whole definition of a hosted tool, the `format` of a custom tool, other members of a
   * function.
   */
  readonly vendor?: Readonly<JsonObject>;
  /** Set for a web search without settings that only the client's wire has: other vendors can carry it out as well. */
  readonly webSearch?: WebSearch;
  /**
   * The member of the request that declares the tool, where it is not in the list of tools. The codec of the client's
   * wire keeps the member in `extra` as well.
   */
  readonly option?: string;
  /**
   * The type of a function that the vendor's models know and the client executes (`memory_20250818`). The codec of the
   * client's wire has added description and schema from the vendor's documentation, for targets on other wires.
   */
  readonly vendorType?: string;
  /** The model is offered the tool only after a search has found it. */
  readonly deferred?: true;
  /** Not offered at the end of the conversation: deferred and not found yet, or removed by a turn. */
  readonly withheld?: true;
  /** Defined by a turn of the conversation: on the client's wire it is sent with that turn, and not declared. */
  readonly inline?: true;
}

/** Whether the model may or must call tools, and which. */
export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required';
  /** Restricts calls to these tools. One name with `required` forces a call of it. */
  readonly only?: readonly string[];
}
