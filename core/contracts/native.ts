import type { Finish } from '../canonical/finish.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Headers, JsonObject } from '../canonical/wire.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { Frame, WriteFrame } from './framing.ts';

/** Top-level members only; `undefined` removes. The native lane splices the raw bytes, the translated lane assigns: one list, both lanes. */
export interface BodyEdit {
  readonly member: string;
  readonly value: unknown;
}

export interface NativePlan {
  /** The model, include_usage, messages freed of proofs sealed for another origin, and the wire's other named edits. */
  readonly edits: readonly BodyEdit[];
  /** Upstream headers taken from the client's (anthropic-version, anthropic-beta); all others stay here. */
  readonly headers: Headers;
  tap(): Tap;
  /** Members that mission.md promises and the vendor leaves out of a plain answer (`output_text` on responses). */
  addToAnswer?(answer: Readonly<JsonObject>): readonly BodyEdit[];
}

export type Verdict = 'hold' | 'content' | 'pass' | 'withhold' | 'end' | 'error';

/**
 * Watches a native answer. Usage is the least of it: it also decides commit, withholds, and must be able to end the stream in this wire.
 * `hold`: lifecycle, kept until content · `content`: shows the client something · `pass`: relayed, commits nothing ·
 * `withhold`: the client did not ask for it · `end`: the wire's terminal · `error`: the stream ends here, `seen.error` says why: the vendor's
 * own error event (`vendor` is set) is relayed, a frame that no client could read gives way to the wire's error.
 */
export interface Tap {
  inspectFrame(frame: Frame): Verdict;
  /** A plain answer, parsed. Sets `observed`, `observed.error` when a 200 carries an error. */
  inspectBody(body: unknown): void;
  /** The bytes are over: an error when the wire's terminal is missing. */
  end(): GatewayError | undefined;
  /** Ends the stream in this wire's own way. */
  fail(error: GatewayError, write: WriteFrame): void;
  readonly observed: Observed;
}
export interface Observed {
  readonly usage?: Usage;
  readonly finish?: Finish;
  readonly error?: GatewayError;
  readonly model?: string;
  /** What text, reasoning and arguments weigh (`weighText`; a Latin character is 1): what an estimate of output is made from. */
  readonly outputChars: number;
  /** The model has reasoned: it said so, whether or not it showed what. */
  readonly reasoned?: boolean;
}
