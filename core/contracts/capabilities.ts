import type { CacheMark } from '../canonical/part.ts';

/**
 * What a model can do and refuses, as data. A member that is absent means "not known": permitted.
 * Resolved once at load per (target, wire): the provider's shipped data, the operator's overrides, and what the wire itself cannot say.
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

/** Shipped data for every model whose name starts with `prefix`; the longest prefix wins, so dated snapshots follow their family. */
export interface ModelFamily {
  readonly prefix: string;
  readonly capabilities: Capabilities;
}
