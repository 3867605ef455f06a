import type { Finish } from '../canonical/finish.ts';
import type { Loss } from '../canonical/loss.ts';
import type { FileKind } from '../canonical/operation/upload.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Headers, JsonObject } from '../canonical/wire.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { Frame, WriteFrame } from './framing.ts';

/**
 * Sets a top-level member of a body; `undefined` removes it. The native lane splices it into the raw bytes, the
 * translated lane assigns it: the same edits work on both lanes.
 */
export interface BodyEdit {
  readonly member: string;
  readonly value: unknown;
}

/** Sets a member of a response: of its body or frame, or of the object in the top-level member `of`. */
export interface ResponseEdit extends BodyEdit {
  readonly of?: string | undefined;
}

/** How one request is passed on to a target of the same wire. */
export interface NativePlan {
  /**
   * Changes to the client's body: the model, `include_usage`, messages without proofs of another origin, and others.
   * @example edits: [{ member: 'model', value: profile.model }]
   */
  readonly edits: readonly BodyEdit[];
  /**
   * What the edits take from the request or change in it, in the client's names.
   * @example losses: [{ field: 'seed', kind: 'dropped', detail: 'the server refuses it' }]
   */
  readonly losses?: readonly Loss[];
  /**
   * Headers of the client that are forwarded (`anthropic-version`, `anthropic-beta`); all others are dropped.
   * @example headers: { 'acme-version': version }
   */
  readonly headers: Headers;
  /**
   * The content type of a plain response that is no JSON. Its bytes pass unchanged, and the tap gets them as a text.
   * @example contentType: 'text/plain; charset=utf-8'
   */
  readonly contentType?: string;
  /**
   * A plain response is a file of this kind: its bytes pass as they arrive, and the tap gets none of them. Another kind
   * of response is an error. `contentType` is for a vendor that does not name one. Absent: the response is read whole.
   * @example file: 'audio'
   */
  readonly file?: FileKind;
  /**
   * Creates the tap of the response.
   * @example tap: () => createResponseTap((body) => ({ usage: usageOf(body) }), writeError)
   */
  tap(): Tap;
  /**
   * Members that clients of the wire expect and the vendor omits (`output_text` of responses). Plain responses only.
   * @example addToResponse: ({ output }) => [{ member: 'output_text', value: textOf(output) }]
   */
  addToResponse?(response: Readonly<JsonObject>): readonly BodyEdit[];
}

/**
 * What the native lane does with a frame.
 * - `hold`: buffered until the first content (lifecycle events)
 * - `content`: relayed, and commits the response
 * - `pass`: relayed without a commit
 * - `withhold`: dropped, because the client did not ask for it
 * - `end`: relayed; the terminal event of the wire
 * - `error`: the stream ends here with `observed.error`. The vendor's own error event (`vendor` is set) is relayed;
 *   otherwise the error is written in the format of the wire
 */
export type Verdict = 'hold' | 'content' | 'pass' | 'withhold' | 'end' | 'error';

/** A tap: inspects a native response as it passes. It decides on commit and end, and collects usage and errors. */
export interface Tap {
  /**
   * Called with each frame of a stream, in order.
   * @example inspectFrame: ({ data }) => (data === '[DONE]' ? 'end' : isContentOf(data) ? 'content' : 'hold')
   */
  inspectFrame(frame: Frame): Verdict;
  /**
   * Called with the parsed body of a plain response, or with its text if it is no JSON. Sets `observed.error` if a
   * response with status 200 is an error.
   * @example inspectBody: (body) => { observed.usage = usageOf(body); }
   */
  inspectBody(body: unknown): void;
  /**
   * Called after the last frame. Returns an error if the terminal event of the wire is missing.
   * @example end: () => (finished ? undefined : new GatewayError('upstream_truncated'))
   */
  end(): GatewayError | undefined;
  /**
   * Ends the stream with an error in the format of the wire.
   * @example fail: ({ publicMessage }, write) => write('error', JSON.stringify({ error: publicMessage }))
   */
  fail(error: GatewayError, write: WriteFrame): void;
  /**
   * Called at the end of a complete response: of each stream, and of a plain response without usage. Adds the usage if
   * the client expects one and the vendor has sent none: as frames before the last one, or as edits of the last frame
   * or body.
   * @param usage as observed, else an estimate
   * @example complete: (usage) => (hasUsage ? [] : [{ member: 'usage', value: writeUsage(usage) }])
   */
  complete?(usage: Usage, write: WriteFrame): readonly ResponseEdit[];
  /**
   * Corrections of the frame or body that was inspected last, where the vendor deviates from the wire.
   * @example edits: [{ member: 'usage', value: { ...usage, total_tokens: 12 } }]
   */
  readonly edits?: readonly ResponseEdit[] | undefined;
  /** @example observed: { outputChars: 0 } */
  readonly observed: Observed;
}

/** What a tap has read from a response so far. */
export interface Observed {
  readonly usage?: Usage;
  readonly finish?: Finish;
  readonly error?: GatewayError;
  /** Model name reported by the provider. */
  readonly model?: string;
  /** Weight of text, reasoning and arguments (a Latin character is 1). Output is estimated from it. */
  readonly outputChars: number;
  /** The response contained signs of reasoning, visible or not. */
  readonly reasoned?: boolean;
  /**
   * Ids of objects that the vendor stores and later requests can refer to: the response, its items, containers. A new
   * list replaces it when there are more.
   */
  readonly stored?: readonly string[];
}

/** {@link Observed}, as the tap fills it. */
export type ObservedSoFar = { -readonly [Member in keyof Observed]: Observed[Member] };
