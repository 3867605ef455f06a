import type { CallHead, PartKind } from '../canonical/event.ts';

/** The place of a text that a guard inspects. */
export interface GuardedContent {
  readonly choice: number;
  /** Number of the part within its choice. */
  readonly part: number;
  /** The text of a tool call is its arguments. */
  readonly kind: Exclude<PartKind, 'media' | 'opaque'>;
  /** For `tool-call`. */
  readonly call?: CallHead;
  /** The part ends with this text: nothing of it is held back. */
  readonly isEnd: boolean;
}

/**
 * What happens to a text. `refuse` ends the response with this message, as the refusal of the client's wire, and cuts
 * the upstream; what was sent before stays.
 */
export type GuardVerdict =
  | 'pass'
  | {
      readonly replace?: string;
      /**
       * Characters at the end of the text, or of the replacement, that are held back now, if more than the window:
       * where characters that no reader sees make a phrase longer.
       * @example hold: 2 * longestPhrase.length
       */
      readonly hold?: number;
    }
  | { readonly refuse: string };

/**
 * Inspects the content of one response before the client gets it: text, reasoning, refusals, and arguments of tool
 * calls. The same for plain and streamed responses of every wire.
 */
export interface Guard {
  /**
   * Characters at the end of each part that are held back until more arrives, so that a phrase split between deltas is
   * seen whole: the length of the longest phrase minus 1. `Infinity` holds back whole parts, as plain responses are.
   * @example window: longestPhrase.length - 1
   */
  readonly window: number;
  /**
   * Called with all text of a part that has not been sent, whenever some of it is about to be. Characters that were
   * held back, also those of a replacement, are in the next call again. Synchronous.
   * @throws GatewayError to end the response with an error
   * @example inspect: (text) => (text.includes(word) ? { replace: text.replaceAll(word, '[redacted]') } : 'pass')
   */
  inspect(text: string, content: GuardedContent): GuardVerdict;
}
