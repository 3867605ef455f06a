import { isRawNumber } from './json/raw-number.ts';
import type { CacheMark } from './part.ts';
import type { UsageUnit } from './usage.ts';
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

/** More uses than any request needs; larger numbers cannot be priced. */
const MAX_USES = 100_000;

/** Reads a cap on uses. `undefined` for a value that caps nothing: it is absent, or no number. */
export function readUses(value: unknown): number | undefined {
  const uses = isRawNumber(value) ? Number(value.rawJSON) : value;
  return typeof uses === 'number' && uses >= 0 ? Math.min(Math.ceil(uses), MAX_USES) : undefined;
}

/** What tools at vendors do, under one word for all vendors. docs/govern/hosted-tools.md explains each. */
export const hostedToolKinds = [
  'web_search',
  'web_fetch',
  'code_execution',
  'file_search',
  'image_generation',
  'mcp',
  'computer',
  'maps',
  'advisor',
  'tool_search',
] as const;

/** A kind of tool at vendors, as `hostedTools` of the configuration names it: `web_search`. */
export type HostedToolKind = (typeof hostedToolKinds)[number];

/** Members and indexes that lead to a value of a body: `['tools', 2, 'max_uses']`. */
export type BodyPlace = readonly (string | number)[];

/** A tool of a request that runs at the vendor, as the body of the request has it. */
export interface HostedTool {
  /** Absent: the gateway does not know the tool. */
  readonly kind?: HostedToolKind;
  /** The word of the wire, for messages: `web_search_20250305`. */
  readonly type: string;
  /** The name by which the request can require a call of it, where it is not `type`. */
  readonly name?: string;
  /** Where the request declares it. Empty: within the conversation, where it cannot be left out. */
  readonly place: BodyPlace;
  /**
   * What the vendor bills for it besides the tokens of the call: nothing (`tokens`), the tokens of the model that the
   * tool calls (`model`), or units. Absent: something that has no price here.
   */
  readonly billed?: UsageUnit | 'model' | 'tokens';
  /** The model that the tool calls, under the name that the request has, or the vendor's default. */
  readonly model?: string;
  /** Where the request names the model. Absent: it names none. */
  readonly modelPlace?: BodyPlace;
  /** The most uses that the request allows. */
  readonly maxUses?: number;
  /** Where the vendor reads the most uses. Absent: it has no such member. */
  readonly capPlace?: BodyPlace;
  /** Tokens of one use, at most: of its result in the input, or written by its own model. Absent: usual ones. */
  readonly tokens?: { readonly input?: number; readonly output?: number; readonly outputImage?: number };
}
