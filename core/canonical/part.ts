import type { Proof } from './proof.ts';
import type { WireName } from './wire.ts';

/** Bytes, an address, or a vendor's file id. `fileId` is bound to the provider that issued it. */
export type Media = { readonly mediaType: string } & (
  | { readonly base64: string }
  | { readonly url: string }
  | { readonly fileId: string }
);

/** "The prompt up to here may be cached": Anthropic's `cache_control`, OpenAI's `prompt_cache_breakpoint`. */
export interface CacheMark {
  readonly ttl: '5m' | '30m' | '1h' | '12h';
}

/** A source that a text, or a stretch of it, rests on. */
export interface Citation {
  /** Address of the source. */
  readonly url?: string;
  readonly title?: string;
  /** The stretch of the part's own text, in Unicode code points, `end` exclusive. Absent: all of it. */
  readonly start?: number;
  readonly end?: number;
  /** The passage of the source. */
  readonly quote?: string;
  /** As the vendor wrote it: comes back on the same wire. */
  readonly vendor: { readonly wire: WireName; readonly value: unknown };
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[];
  /** Google puts its thought signature on the text that it belongs to. */
  readonly proof?: Proof;
}
export interface MediaPart {
  readonly type: 'media';
  readonly media: Media;
  /** File name or title of a document. */
  readonly name?: string;
  /** Image resolution hint (`low`, `high`, `auto`, `original`). */
  readonly detail?: string;
}
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** The vendor shows only the proof (Anthropic's `redacted_thinking`). */
  readonly redacted?: boolean;
  readonly proof?: Proof;
}
export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** `function`: `input` is JSON text. `custom`: free text. */
  readonly kind: 'function' | 'custom';
  readonly input: string;
  /** Google puts its thought signature on the call itself. */
  readonly proof?: Proof;
}
export interface ToolResultPart {
  readonly type: 'tool-result';
  /** The id of the call answered. */
  readonly id: string;
  /** The function's name, where the wire carries it. */
  readonly name?: string;
  readonly failed: boolean;
  readonly parts: readonly Part[];
}
export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}
/** Anything this version does not know. Decoding never throws on it: harmless on the native lane, a loss on the translated one. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly wire: WireName;
  readonly value: unknown;
}

/** One piece of a turn or of an answer. Order is meaning: it is kept from end to end. */
export type Part = { readonly cache?: CacheMark } & (
  | TextPart
  | MediaPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | RefusalPart
  | OpaquePart
);
