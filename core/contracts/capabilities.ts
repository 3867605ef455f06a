import type { CacheMark } from '../canonical/part.ts';
import type { SchemaDialects } from '../canonical/schema/dialect.ts';
import type { JsonObject } from '../canonical/wire.ts';

/**
 * What a model supports, as data. An absent member means "unknown", which permits. Resolved once at load per (target,
 * wire) from the provider's data, the operator's overrides, and the limits of the wire.
 */
export interface Capabilities {
  /** Supported reasoning efforts, weakest first. Empty: the model does not reason on request. */
  readonly efforts?: readonly string[];
  /** How reasoning is controlled: not at all, by a token budget, or by the model itself (with an effort). */
  readonly thinking?: 'none' | 'budget' | 'adaptive';
  /** Range of a reasoning budget, in tokens. */
  readonly minBudget?: number;
  readonly maxBudget?: number;
  /** `false`: reasoning cannot be switched off. */
  readonly thinkingOff?: boolean;
  /** `false`: the model reasons only if the request asks for it. `true`: it reasons unless the request forbids it. */
  readonly thinksUnasked?: boolean;
  /** `false`: temperature, top_p and top_k are refused, even at their defaults. */
  readonly sampling?: boolean;
  /** Maximum temperature; higher values are lowered to it. */
  readonly maxTemperature?: number;
  /** `false`: temperature and top_p cannot be combined. */
  readonly temperatureWithTopP?: boolean;
  readonly stop?: boolean;
  /** `false`: one choice per call. */
  readonly choices?: boolean;
  /** `false`: a request for log probabilities is refused. */
  readonly logprobs?: boolean;
  /** `false`: no JSON mode. */
  readonly json?: boolean;
  /** `false`: no JSON Schema output. */
  readonly schema?: boolean;
  /** `false`: structured output and tools cannot be combined. */
  readonly jsonWithTools?: boolean;
  /** `false`: a trailing assistant turn is refused. */
  readonly prefill?: boolean;
  /** `false`: a tool call cannot be forced. `not-with-thinking`: only while the model does not think. */
  readonly forcedTool?: boolean | 'not-with-thinking';
  /** `false`: tools accept JSON only; free-text tools are rewritten. */
  readonly customTools?: boolean;
  /** Valid tool names; other names are mapped, and mapped back in the response. */
  readonly toolName?: RegExp;
  /** `false`: media must be sent as bytes. */
  readonly mediaUrls?: boolean;
  /** `false`: system turns are accepted at the start only. */
  readonly midSystem?: boolean;
  /** `false`: images are a 400. */
  readonly vision?: boolean;
  /** `false`: documents (PDF) are a 400. */
  readonly documents?: boolean;
  /** `false`: audio is a 400. */
  readonly audio?: boolean;
  /** `false`: video is a 400. */
  readonly video?: boolean;
  /** `true`: responses contain images or audio, so the first event of a stream can exceed 1 MB. */
  readonly mediaOutput?: boolean;
  /**
   * `true`: the vendor can search the web for the model. `without-tools`: only if the request has no other tools.
   * Absent: it cannot.
   */
  readonly webSearch?: boolean | 'without-tools';
  /** Supported lifetimes of prompt cache breakpoints, shortest first; absent: breakpoints are not supported. */
  readonly cacheMarks?: readonly CacheMark['ttl'][];
  /** Maximum output tokens of a response. */
  readonly maxOutput?: number;
  /** Size of the context window: input and output tokens. */
  readonly contextTokens?: number;
  /** An agent of the vendor, which only a wire with a member for agents can name. */
  readonly agent?: AgentBound;
}

/** The most tokens that one run of an agent uses, in all of its own calls. Limits reserve them as a whole. */
export interface AgentBound {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The capabilities that `models.<id>.capabilities` can override: those that YAML can express. */
export type CapabilityOverrides = Omit<Capabilities, 'toolName'>;

/**
 * Capabilities of all models whose name starts with `prefix`. The longest prefix wins, so dated snapshots follow their
 * family.
 * @example { prefix: 'gpt-4o', capabilities: { maxOutput: 16_384, efforts: [] } }
 */
export interface ModelFamily {
  readonly prefix: string;
  readonly capabilities: Capabilities;
}

/** A field that losses and errors can refer to. `parts` is the list of parts within a turn. */
export type FieldName =
  | 'conversation'
  | 'parts'
  | 'tools'
  | 'toolChoice'
  | 'parallelTools'
  | 'output'
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stop'
  | 'choices'
  | 'logprobs'
  | 'topLogprobs'
  | 'effort'
  | 'budget'
  | 'show'
  | 'reasoning'
  | 'verbosity'
  | 'user'
  | 'serviceTier'
  | 'cacheKey'
  | 'store'
  | 'stream'
  | 'cache';
/** The names of canonical fields on a wire. */
export type FieldNames = Readonly<Partial<Record<FieldName, string>>>;

/** Other paths of a member, by its path where it stands. */
export type OtherNames = Readonly<Record<string, readonly string[]>>;

/** The place of one canonical turn in the client's body, and of each of its parts. */
export interface TurnPlace {
  /** A path such as `messages[3]`. */
  readonly turn: string;
  /** One path per part of the turn; empty if unknown. */
  readonly parts: readonly string[];
}

/**
 * Traits: properties of a wire, whatever the model. The rules of the core depend on traits and never on a wire's name,
 * so that a third party's wire with the same traits is treated the same. An absent member means "no". All codecs of one
 * wire share one object.
 */
export interface WireTraits {
  /** The wire's names of canonical fields, as paths. Default: the common name (`max_tokens`). */
  readonly fieldNames?: FieldNames;
  /**
   * Returns the places of a request's turns, in the order in which `decodeRequest` reads them. Called only if a loss or
   * an error has to refer to one.
   * @example
   * places: ({ messages }) => readList(messages).map((_, index) => ({ turn: `messages[${index}]`, parts: [] }))
   */
  places?(body: Readonly<JsonObject>): readonly TurnPlace[];
  /**
   * Other paths at which clients write a member: the older name of a field, and in parts and tools the names of what
   * the canonical form calls `failed`, `name` and so on. A loss has the path that the client's body has.
   * @example otherNames: { max_tokens: ['max_completion_tokens'], failed: ['is_error'], name: ['title'] }
   */
  readonly otherNames?: OtherNames;
  /** A request without an output cap is refused. */
  readonly requiresMaxTokens?: boolean;
  /**
   * Reasoning has conditions: it is sent back with its proof or not at all, an assistant turn with calls starts with
   * it, sampling parameters stay at their defaults, and the response cannot be prefilled.
   */
  readonly strictThinking?: boolean;
  /** Reasoning is controlled by an effort: there is no member for a budget. */
  readonly effortOnly?: boolean;
  /** Maximum reasoning budget in tokens, for models without their own (`maxBudget` of {@link Capabilities}). */
  readonly usualMaxBudget?: number;
  /** A schema is enforced only if the request says `strict`; on other wires it always is. */
  readonly schemaNeedsStrict?: boolean;
  /** What the vendor accepts in JSON Schemas. Absent: everything. */
  readonly schemas?: SchemaDialects;
  /** JSON mode is refused unless the prompt contains the word JSON. */
  readonly jsonNeedsWord?: boolean;
  /** Turns without content are left out, because the vendor refuses them. */
  readonly omitsEmptyTurns?: boolean;
  /** A conversation with tool calls is refused if the request declares no tools. */
  readonly requiresDeclaredTools?: boolean;
  /** Tool definitions can carry a cache mark. */
  readonly cacheMarksOnTools?: boolean;
  /** A member caps the searches of a request. */
  readonly capsSearches?: boolean;
  /** Models are offered to clients of this wire only if their `wires` in the configuration list it. */
  readonly optIn?: boolean;
}
