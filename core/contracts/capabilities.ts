import type { CacheMark } from '../canonical/part.ts';
import type { JsonObject } from '../canonical/wire.ts';

/**
 * What a model can do and refuses, as data. A member that is absent means "not known": permitted. Resolved once at load
 * per (target, wire): the provider's shipped data, the operator's overrides, and what the wire itself cannot say.
 */
export interface Capabilities {
  /** Reasoning efforts the model takes, weakest first. An empty list: the model does not reason on request. */
  readonly efforts?: readonly string[];
  /** How thinking is asked for: not at all, by a token budget, or by letting the model decide (with an effort). */
  readonly thinking?: 'none' | 'budget' | 'adaptive';
  /** Fewest and most tokens of a thinking budget. */
  readonly minBudget?: number;
  readonly maxBudget?: number;
  /** `false`: thinking cannot be switched off. */
  readonly thinkingOff?: boolean;
  /** `false`: the model thinks only where the request asks for it. */
  readonly thinksUnasked?: boolean;
  /** `false`: temperature, top_p and top_k are refused even at their defaults. */
  readonly sampling?: boolean;
  /** Highest temperature taken; above it the value is lowered to it. */
  readonly maxTemperature?: number;
  /** `false`: temperature and top_p may not be sent together. */
  readonly temperatureWithTopP?: boolean;
  readonly stop?: boolean;
  /** `false`: one answer per call. */
  readonly choices?: boolean;
  /** `false`: no free-form JSON mode. */
  readonly json?: boolean;
  /** `false`: no JSON Schema output. */
  readonly schema?: boolean;
  /** `false`: structured output and tools exclude each other. */
  readonly jsonWithTools?: boolean;
  /** `false`: a last assistant turn is refused. */
  readonly prefill?: boolean;
  /** `false`: a tool call cannot be forced. `not-with-thinking`: only while the model does not think. */
  readonly forcedTool?: boolean | 'not-with-thinking';
  /** `false`: tools take JSON only; free-text tools are rewritten. */
  readonly customTools?: boolean;
  /** What a tool may be called; other names are mapped and mapped back. */
  readonly toolName?: RegExp;
  /** `false`: media must be sent as bytes. */
  readonly mediaUrls?: boolean;
  /** `false`: system turns may only lead. */
  readonly midSystem?: boolean;
  /** `false`: images are a 400. */
  readonly vision?: boolean;
  /** `false`: documents (PDF) are a 400. */
  readonly documents?: boolean;
  /** `false`: audio is a 400. */
  readonly audio?: boolean;
  /** `false`: video is a 400. */
  readonly video?: boolean;
  /** `true`: answers hold images or audio, so that the first event of a stream may be longer than 1 MB. */
  readonly mediaOutput?: boolean;
  /** Lifetimes of the prompt cache breakpoints that a request may carry, shortest first; absent: it can carry none. */
  readonly cacheMarks?: readonly CacheMark['ttl'][];
  /** Most tokens one answer may have. */
  readonly maxOutput?: number;
  /** Input and output together. */
  readonly contextTokens?: number;
}

/** The capabilities that an operator may override in `models.<id>.capabilities`: all that YAML can write. */
export type CapabilityOverrides = Omit<Capabilities, 'toolName'>;

/**
 * Shipped data for every model whose name starts with `prefix`; the longest prefix wins, so dated snapshots follow
 * their family.
 */
export interface ModelFamily {
  readonly prefix: string;
  readonly capabilities: Capabilities;
}

/** What a loss or an error may have to name in a request of a client. `parts`: the list of parts inside a turn. */
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
  | 'effort'
  | 'budget'
  | 'show'
  | 'reasoning'
  | 'verbosity'
  | 'user'
  | 'serviceTier'
  | 'cacheKey'
  | 'store'
  | 'cache';
export type FieldNames = Readonly<Partial<Record<FieldName, string>>>;

/** Where one turn of the canonical request stood in the client's body, and each of its parts. */
export interface TurnPlace {
  /** A path such as `messages[3]`. */
  readonly turn: string;
  /** One path for each part of the turn, or an empty list where that cannot be known. */
  readonly parts: readonly string[];
}

/**
 * What holds on a wire whatever the model behind it: what it calls things, and what it demands of a request. The rules
 * of the core ask for these and never for a wire's name, so that a wire of a third party gets the same treatment by
 * declaring the same. A member that is absent means "no". The codecs of one wire share one object.
 */
export interface WireTraits {
  /**
   * Its names for what the canonical form has, as paths; where one is absent, the common name of the core
   * (`max_tokens`) is its name.
   */
  readonly fieldNames?: FieldNames;
  /**
   * The places of a request's turns, in the order in which `decodeRequest` reads them. Called only when a loss or an
   * error has to name one.
   */
  places?(body: Readonly<JsonObject>): readonly TurnPlace[];
  /** A request without a cap on its output is refused. */
  readonly requiresMaxTokens?: boolean;
  /**
   * Thinking comes with conditions: reasoning is replayed with its proof or not at all, an assistant turn with calls
   * opens with it, sampling stays at the defaults, and the answer cannot be begun for the model.
   */
  readonly strictThinking?: boolean;
  /** Thinking is asked for by an effort: there is no member for a number of tokens. */
  readonly effortOnly?: boolean;
  /** Most tokens of a thinking budget, for models that do not say their own (`maxBudget` of {@link Capabilities}). */
  readonly usualMaxBudget?: number;
  /** A schema binds the answer only where the request says `strict`; on other wires it always does. */
  readonly schemaNeedsStrict?: boolean;
  /** JSON mode is refused unless the prompt has the word JSON in it. */
  readonly jsonNeedsWord?: boolean;
  /** A conversation with tool calls is refused when the request declares no tools. */
  readonly requiresDeclaredTools?: boolean;
  /** The definition of a tool may carry a cache mark. */
  readonly cacheMarksOnTools?: boolean;
  /** A model is offered to clients of this wire only where its `wires` in the configuration name it. */
  readonly optIn?: boolean;
}
