import type { ExtraMembers } from './json/extra-members.ts';
import type { Proof } from './proof.ts';
import type { WireName } from './wire.ts';

/** Bytes, a URL, or a vendor's file id. A `fileId` is valid only at the provider that issued it. */
export type Media = { readonly mediaType: string } & (
  | { readonly base64: string }
  | { readonly url: string }
  | { readonly fileId: string }
);

/** A prompt cache breakpoint after this part: Anthropic's `cache_control`, OpenAI's `prompt_cache_breakpoint`. */
export interface CacheMark {
  readonly ttl: '5m' | '30m' | '1h' | '12h';
}

/** A source of a text, or of a range of it. */
export interface Citation {
  /** URL of the source. */
  readonly url?: string;
  readonly title?: string;
  /** The range of the part's own text in Unicode code points, `end` exclusive. Absent: all of it. */
  readonly start?: number;
  readonly end?: number;
  /** The quoted passage of the source. */
  readonly quote?: string;
  /** The vendor's own form, which is sent back on the same wire. */
  readonly vendor: { readonly wire: WireName; readonly value: unknown };
}

/** A token that the model could write, with the natural logarithm of its probability. */
export interface Logprob {
  readonly token: string;
  readonly logprob: number;
  /** The bytes of a token that is a part of a character. Absent: those of `token`. */
  readonly bytes?: readonly number[];
  /** The vendor's number of the token. */
  readonly id?: number;
}

/** A token of a text that the model wrote. */
export interface TokenLogprob extends Logprob {
  /** The most likely tokens at its place, as many as the client asked for. The token itself can be missing. */
  readonly top: readonly Logprob[];
}

/** Text of a turn or a response. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** The tokens of a response, if the client asked for their probabilities. */
  readonly logprobs?: readonly TokenLogprob[];
  readonly citations?: readonly Citation[];
  /** Google attaches thought signatures to text. */
  readonly proof?: Proof;
}
/** An image, a document, audio or video. */
export interface MediaPart {
  readonly type: 'media';
  readonly media: Media;
  /** File name or title of a document. */
  readonly name?: string;
  /** Image resolution hint (`low`, `high`, `auto`, `original`). */
  readonly detail?: string;
}
/** Reasoning of a model, or a summary of it. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** The vendor sends only a proof (Anthropic's `redacted_thinking`). */
  readonly redacted?: boolean;
  readonly proof?: Proof;
}
/** A call of a tool, in an assistant turn or a response. */
export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** `function`: `input` is JSON text. `custom`: free text. */
  readonly kind: 'function' | 'custom';
  readonly input: string;
  /** Members that only one wire has, such as `async` of responses. */
  readonly extra?: ExtraMembers;
  /** Google attaches thought signatures to calls. */
  readonly proof?: Proof;
}
/** The result of a tool call, in a user turn. */
export interface ToolResultPart {
  readonly type: 'tool-result';
  /** The id of the call that this is the result of. */
  readonly id: string;
  /** The function's name, if the wire has it. */
  readonly name?: string;
  readonly failed: boolean;
  readonly parts: readonly Part[];
}
/** The text with which a model refuses to answer. */
export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
  /** As those of a text. */
  readonly logprobs?: readonly TokenLogprob[];
}
/** A source that a search has found. */
export interface SearchSource {
  readonly url: string;
  readonly title?: string;
}

/** What a part of a response says about a search that the vendor carried out. */
export interface SearchCall {
  /** The vendor's id of the search. */
  readonly id?: string;
  /** What was searched for. Absent: the part has results only. */
  readonly queries?: readonly string[];
  /** Absent: the results are in another part, or unknown. */
  readonly sources?: readonly SearchSource[];
}

/**
 * A part that this version does not know. Decoders do not refuse it: the native lane passes it on, and on the
 * translated lane it is a loss.
 */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly wire: WireName;
  readonly value: unknown;
  /** The part is a search of the web that the vendor carried out, or its results. */
  readonly search?: SearchCall;
}

/** One part of a turn or a response. The order of parts is preserved. */
export type Part = { readonly cache?: CacheMark } & (
  | TextPart
  | MediaPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | RefusalPart
  | OpaquePart
);
