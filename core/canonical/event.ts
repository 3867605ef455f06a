import type { GatewayError } from '../errors/gateway-error.ts';
import type { Finish } from './finish.ts';
import type { Citation, TokenLogprob } from './part.ts';
import type { Proof } from './proof.ts';
import type { Usage } from './usage.ts';

/** The kind of a part in a stream. */
export type PartKind = 'text' | 'reasoning' | 'tool-call' | 'refusal' | 'media' | 'opaque';

/** What is known of a tool call when it starts: all but its arguments. */
export interface CallHead {
  readonly id: string;
  readonly name: string;
  readonly kind: 'function' | 'custom';
  /** The proof that its end has too, if it is known by then: some wires have a place for it at the start only. */
  readonly proof?: Proof;
}

/** A part starts. Its number is new in its choice. */
export interface PartStart {
  readonly type: 'part-start';
  readonly choice: number;
  readonly part: number;
  readonly kind: PartKind;
  /** For `tool-call`. */
  readonly call?: CallHead;
  /** For `reasoning`: only a proof follows, no text. */
  readonly redacted?: boolean;
  /** For `media` (a Media) and `opaque` (an OpaquePart): the whole value. */
  readonly value?: unknown;
}
/** More text of a part: text, reasoning, a refusal, or the arguments of a tool call. */
export interface PartDelta {
  readonly type: 'part-delta';
  readonly choice: number;
  readonly part: number;
  readonly text: string;
  /** For `text` and `refusal`: tokens of the part up to here. With tokens, the text can be empty. */
  readonly logprobs?: readonly TokenLogprob[];
}
/** A part is complete. */
export interface PartEnd {
  readonly type: 'part-end';
  readonly choice: number;
  readonly part: number;
  readonly proof?: Proof;
  readonly citations?: readonly Citation[];
}
/** The three events of a part. */
export type PartEvent = PartStart | PartDelta | PartEnd;

/**
 * One event of a streamed response. `choice` and `part` are numbers assigned by the decoder; encoders assign their own.
 * Parts can interleave. Every start has its end, and exactly one terminal event (`response-end` or `error`) ends the
 * stream. Three part events with a kind, rather than a dozen types, keep this rule and filters simple.
 */
export type GenerateEvent =
  | { readonly type: 'response-start'; readonly id?: string; readonly model?: string }
  | PartEvent
  | { readonly type: 'choice-end'; readonly choice: number; readonly finish: Finish }
  /** Cumulative: each one replaces the one before. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'response-end' }
  | { readonly type: 'error'; readonly error: GatewayError };

/** Passes on one event. */
export type EmitEvent = (event: GenerateEvent) => void;

/** Encodes one part of a stream, after its start. */
export interface PartEncoder {
  delta(text: string, logprobs?: readonly TokenLogprob[]): void;
  end(event: PartEnd): void;
}

/**
 * Whether the event shows content to the client. The first one commits the response: no attempt follows it. A response
 * without content commits when it ends.
 */
export function isContent(event: GenerateEvent): boolean {
  switch (event.type) {
    case 'part-delta':
      return event.text !== '';
    case 'part-start':
      return event.kind === 'tool-call' || event.kind === 'media' || event.kind === 'opaque';
    case 'part-end':
      return event.proof !== undefined;
    default:
      return event.type === 'response-end';
  }
}
