import type { GatewayError } from '../errors/gateway-error.ts';
import type { Finish } from './finish.ts';
import type { Citation } from './part.ts';
import type { Proof } from './proof.ts';
import type { Usage } from './usage.ts';

export type PartKind = 'text' | 'reasoning' | 'tool-call' | 'refusal' | 'media' | 'opaque';

export interface CallHead {
  readonly id: string;
  readonly name: string;
  readonly kind: 'function' | 'custom';
}

/**
 * One step of a streamed answer.
 * Handles (`choice`, `part`) are the reader's own; writers allocate their own indices. Parts may interleave; every start has its end;
 * exactly one terminal event (`response-end` or `error`) closes the stream.
 * Three part events with a kind instead of a dozen types: "every start has its end" is checked once, and a filter that does not care passes three cases.
 */
export type GenerateEvent =
  | { readonly type: 'response-start'; readonly id?: string; readonly model?: string }
  | {
      readonly type: 'part-start';
      readonly choice: number;
      readonly part: number;
      readonly kind: PartKind;
      /** With `tool-call`. */
      readonly call?: CallHead;
      /** With `reasoning`: only the proof will come. */
      readonly redacted?: boolean;
      /** With `media` (a Media) and `opaque` (an OpaquePart): the whole value. */
      readonly value?: unknown;
    }
  | { readonly type: 'part-delta'; readonly choice: number; readonly part: number; readonly text: string }
  | {
      readonly type: 'part-end';
      readonly choice: number;
      readonly part: number;
      readonly proof?: Proof;
      readonly citations?: readonly Citation[];
    }
  | { readonly type: 'choice-end'; readonly choice: number; readonly finish: Finish }
  /** Cumulative: the last one counts. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'response-end' }
  | { readonly type: 'error'; readonly error: GatewayError };

export type EmitEvent = (event: GenerateEvent) => void;

/**
 * Does this event show the client something? The first one that does commits the stream: no failover after it.
 * An answer without any content commits when it ends.
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
