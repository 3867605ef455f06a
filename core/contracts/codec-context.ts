import type { EmbedRequest, EmbedResponse } from '../canonical/operation/embedding.ts';
import type { ModerateRequest, ModerateResponse } from '../canonical/operation/moderation.ts';
import type { SpeakRequest, SpeakResponse } from '../canonical/operation/speech.ts';
import type { RerankRequest, RerankResponse } from '../canonical/operation/rerank.ts';
import type { TranscribeRequest, TranscribeResponse } from '../canonical/operation/transcription.ts';
import type { ImageRequest, ImageResponse } from '../canonical/operation/image.ts';
import type { Lose } from '../canonical/loss.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { Origin } from '../canonical/proof.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { Compaction, GenerateResponse, TokenCount } from '../canonical/response.ts';
import type { Headers, JsonObject, Operation, WireName } from '../canonical/wire.ts';
import type { Capabilities, WireTraits } from './capabilities.ts';
import type { Upload } from '../canonical/operation/upload.ts';

/** The canonical request and response of each operation. */
export interface Shapes {
  generate: { request: GenerateRequest; response: GenerateResponse };
  embed: { request: EmbedRequest; response: EmbedResponse };
  moderate: { request: ModerateRequest; response: ModerateResponse };
  rerank: { request: RerankRequest; response: RerankResponse };
  transcribe: { request: TranscribeRequest; response: TranscribeResponse };
  translate: { request: TranscribeRequest; response: TranscribeResponse };
  speak: { request: SpeakRequest; response: SpeakResponse };
  image: { request: ImageRequest; response: ImageResponse };
  'count-tokens': { request: GenerateRequest; response: TokenCount };
  compact: { request: GenerateRequest; response: Compaction };
}
/** The canonical request of an operation. */
export type RequestOf<O extends Operation> = Shapes[O]['request'];
/** The operations whose requests are conversations. Fits, hosted tools and the state of vendors concern only them. */
export type ConversationOperation = {
  [O in Operation]: RequestOf<O> extends GenerateRequest ? O : never;
}[Operation];
/** The canonical response of an operation. */
export type ResponseOf<O extends Operation> = Shapes[O]['response'];

/** A client request as received, before it is decoded. */
export interface InboundRequest {
  /**
   * The received bytes. The native lane edits these, so that numbers beyond double precision survive. Of a form: its
   * body as JSON.
   */
  readonly raw: Uint8Array;
  /** Parsed JSON; not necessarily an object. Of a form: its texts and files by their names. */
  readonly body: unknown;
  /** The form itself, where the request is one. */
  readonly upload?: Upload;
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** From the path, on wires that have the model there (generate-content). */
  readonly model?: string;
  /** From the path, on wires that have it there. */
  readonly stream?: boolean;
  /** Allowed values of the wire's version header, if the route restricts them. */
  readonly versions?: readonly string[];
}

/** The result of `decodeRequest`. */
export interface DecodedRequest<O extends Operation> {
  /** Model name as the client sent it. */
  readonly model: string;
  readonly request: RequestOf<O>;
  /** Framing of the response, if the request chooses one (`alt=sse` or a JSON array); default `sse`. */
  readonly framing?: string;
  /** The end user that the client named, where it is not `request.user`. */
  readonly user?: string;
  /** The largest output cap in any member, if it exceeds the cap that the wire uses. Reserved by limits. */
  readonly declaredCap?: number;
}

/** Values for an encoder of responses, which has no clock and no randomness of its own. */
export interface WriteContext<O extends Operation = 'generate'> {
  readonly request: RequestOf<O>;
  /** When the response began, in Unix seconds. */
  readonly created: number;
  /** The present time in Unix seconds. */
  readonly now: () => number;
  /** Creates an id with the given prefix, e.g. `chatcmpl-`. */
  readonly newId: (prefix: string) => string;
  /** Reports a loss. */
  readonly lose: Lose;
  /** Estimated input tokens, for wires that send input usage before the provider reports it. */
  readonly inputEstimate: number;
  /**
   * Keeps the output of a response for a while, so that later requests can refer to it and its items by their ids.
   * Absent: the client asked that nothing is stored, or the operator did.
   */
  keep?(response: string, items: readonly JsonObject[]): void;
}

/** Values for a decoder of upstream responses. */
export interface ReadContext {
  /** The headers of a plain response. */
  readonly headers?: Headers;
  /** Attached to every proof that is read. */
  readonly origin: Origin;
  /** As in {@link TargetProfile}. */
  readonly omitsFinish?: boolean;
  /** As in {@link TargetProfile}. */
  readonly thinkTags?: boolean;
  /** As in {@link TargetProfile}. */
  readonly billsOneSearch?: boolean;
  /**
   * Number of turns in the conversation. Ids for tool calls without one are derived from it, so that they are stable.
   */
  readonly turn: number;
  /** Reports a loss. */
  readonly lose: Lose;
}

/** What fits and encoders know of a target. Created once per (target, wire) at load. */
export interface TargetProfile {
  /** Name of the provider in the configuration. */
  readonly provider: string;
  /** Name of the model at the provider. */
  readonly model: string;
  readonly wire: WireName;
  readonly origin: Origin;
  readonly capabilities: Capabilities;
  /** Traits of the target's wire. */
  readonly traits: WireTraits;
  /** The gateway places cache breakpoints of this lifetime for clients whose wire has none (`promptCache`). */
  readonly promptCache?: CacheMark['ttl'];
  /** Complete streams of this server can lack a finish reason; the terminal event alone decides. */
  readonly omitsFinish?: boolean;
  /** Texts of this server start with the reasoning, in the tags of `<think>`. */
  readonly thinkTags?: boolean;
  /** The member from which this server reads the output cap, if its wire has several. */
  readonly capMember?: string;
  /** The member from which this server reads the effort, if its wire has several. */
  readonly effortMember?: string;
  /** The path of the member from which this server reads a number of reasoning tokens, if its wire has none. */
  readonly budgetMember?: string;
  /** This server refuses the member with which a streamed request asks for its usage. */
  readonly refusesUsageOption?: boolean;
  /** The native lane passes the usage of this server on as it is: neither corrected nor added. */
  readonly keepsUsage?: boolean;
  /** This server holds nothing between requests. */
  readonly stateless?: boolean;
  /** A prompt with searches is billed for one of them. */
  readonly billsOneSearch?: boolean;
}

/** A model in a models list. */
export interface ModelEntry {
  readonly id: string;
  readonly provider: string;
  readonly wires: readonly WireName[];
  readonly capabilities: Capabilities;
  /** Unix seconds. */
  readonly created: number;
}

/**
 * The models list in the format of one wire. All wires share the path, so each recognises requests of its own clients;
 * a wire without `recognises` is the default.
 */
export interface ModelList {
  /** @example recognises: ({ headers }) => 'anthropic-version' in headers */
  recognises?(request: {
    readonly path: string;
    readonly headers: Headers;
    readonly query: Readonly<Record<string, string>>;
  }): boolean;
  /**
   * The body of the list. The query can contain paging parameters.
   * @example list: (models) => ({ object: 'list', data: models.map(write) })
   */
  list(models: readonly ModelEntry[], query: Readonly<Record<string, string>>): unknown;
  /**
   * The body for a single model.
   * @example one: ({ id, created }) => ({ object: 'model', id, created })
   */
  one(model: ModelEntry): unknown;
}

/** An upstream response with an error, for `decodeError` and `classify`. */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or text, or undefined. */
  readonly body: unknown;
  /** The request that was refused; absent for an error within a response. */
  readonly refused?: RefusedRequest;
}

/** The request to which an error is the response. */
export interface RefusedRequest {
  /** Name of the model at the provider. */
  readonly model: string;
  /** The body as the client sent it. Vendors quote from it in messages, so phrases in it do not identify a failure. */
  readonly body: Uint8Array;
}

/** An error in the format of a wire. */
export interface EncodedError {
  readonly status: number;
  /** Includes `retry-after`, `x-should-retry` and rate limit headers, where the wire has them. */
  readonly headers: Headers;
  readonly body: unknown;
}
