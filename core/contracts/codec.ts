import type { Capabilities, WireTraits } from './capabilities.ts';
import type { EmbedRequest, EmbedResponse } from '../canonical/embedding.ts';
import type { EmitEvent, GenerateEvent } from '../canonical/event.ts';
import type { Lose } from '../canonical/loss.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { Origin } from '../canonical/proof.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { GenerateResponse, TokenCount } from '../canonical/response.ts';
import type { Headers, JsonObject, Operation, WireName } from '../canonical/wire.ts';
import type { FailureClass } from '../errors/codes.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { LimitFigures } from '../errors/limit-figures.ts';
import type { Frame, WriteFrame } from './framing.ts';
import type { NativePlan } from './native.ts';
import type { References } from './references.ts';
import type { Spelling } from './spelling.ts';

/** The canonical request and answer of each operation. */
export interface Shapes {
  generate: { request: GenerateRequest; response: GenerateResponse };
  embed: { request: EmbedRequest; response: EmbedResponse };
  'count-tokens': { request: GenerateRequest; response: TokenCount };
}
export type RequestOf<O extends Operation> = Shapes[O]['request'];
export type ResponseOf<O extends Operation> = Shapes[O]['response'];

/**
 * Translates one wire to and from the canonical form for one operation. Pure: no I/O, no clock, no randomness, no condition on models.
 * The client half faces clients, the upstream half faces vendors; a wire that is only spoken upstream has no client half.
 * Registered by (operation, wire).
 */
export interface Codec<O extends Operation = Operation> {
  readonly operation: O;
  readonly wire: WireName;
  /** What is particular about the wire, for the rules of the core; absent: nothing. */
  readonly traits?: WireTraits;
  readonly client?: ClientSide<O>;
  readonly upstream?: UpstreamSide<O>;
}
export type AnyCodec = { [O in Operation]: Codec<O> }[Operation];

export interface InboundRequest {
  /** The received bytes: the native lane splices these, and 1e400 or a 64-bit seed survive. */
  readonly raw: Uint8Array;
  /** Parsed; not yet known to be an object. */
  readonly body: unknown;
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** From the route: generate-content has both in the path. */
  readonly model?: string;
  readonly stream?: boolean;
  /** Allowed values of the wire's version header, when the operator set them on the route. */
  readonly versions?: readonly string[];
}

export interface DecodedRequest<O extends Operation> {
  readonly model: string;
  readonly request: RequestOf<O>;
  /** Name of the framing when the request chooses one (alt=sse or a JSON array); default `sse`. */
  readonly framing?: string;
  /** The largest cap on the output that stands in any member, where it is above the one that counts on this wire. */
  readonly declaredCap?: number;
}

/** Everything a writer may not invent: codecs have no clock and no randomness. */
export interface WriteContext<O extends Operation = 'generate'> {
  readonly request: RequestOf<O>;
  /** Unix seconds. */
  readonly created: number;
  /** A fresh id with the given prefix, e.g. `chatcmpl-`. */
  readonly newId: (prefix: string) => string;
  readonly lose: Lose;
  /** For wires that show input usage before the provider has counted. */
  readonly inputEstimate: number;
}

export interface ReadContext {
  /** Stamped on every proof that is read. */
  readonly origin: Origin;
  /** As in {@link TargetProfile}. */
  readonly omitsFinish?: boolean;
  /** Turns already in the conversation: ids for calls that came without one are derived from it, so they stay stable. */
  readonly turn: number;
  readonly lose: Lose;
}

/** A model as the lists show it. */
export interface ModelEntry {
  readonly id: string;
  readonly provider: string;
  readonly wires: readonly WireName[];
  readonly capabilities: Capabilities;
  /** Unix seconds. */
  readonly created: number;
}

/** The models list in one wire's shape. The shape of a request is chosen by its own headers; the wire that recognises nothing is the default. */
export interface ModelList {
  recognises?(request: {
    readonly path: string;
    readonly headers: Headers;
    readonly query: Readonly<Record<string, string>>;
  }): boolean;
  list(models: readonly ModelEntry[], query: Readonly<Record<string, string>>): unknown;
  one(model: ModelEntry): unknown;
}

export interface EncodedError {
  readonly status: number;
  /** Retry-After, x-should-retry and the limit figures are part of a wire's error. */
  readonly headers: Headers;
  readonly body: unknown;
}

export interface ClientSide<O extends Operation> {
  /**
   * Keeps what it does not know. Names no losses: nothing is lost until a target is known.
   * @throws GatewayError 400, `param` named, for what the wire or the mission forbids
   */
  decodeRequest(inbound: InboundRequest): DecodedRequest<O>;
  encodeResponse(response: ResponseOf<O>, context: WriteContext<O>): unknown;
  encodeStream?(context: WriteContext<O>): EventEncoder;
  encodeError(error: GatewayError, context: { readonly requestId: string }): EncodedError;
  encodeLimits?(figures: LimitFigures): Headers;
  /** A frame that keeps an open stream alive once content has been sent; wires without one use the framing's `idle`. */
  readonly keepalive?: { readonly event: string; readonly data: string };
  readonly models?: ModelList;
  /** Members of its requests that name something kept at the vendor; without permission they are refused. */
  readonly references?: References;
  /** Members that limit, price or route a request: a body is refused in which one stands twice or in another spelling. */
  readonly spelling?: Spelling;
}

/** What is known of a target when a request is bent to it and written. Made once per (target, wire) at load. */
export interface TargetProfile {
  /** The provider's name in the configuration. */
  readonly provider: string;
  /** The model's name at the provider. */
  readonly model: string;
  readonly wire: WireName;
  readonly origin: Origin;
  readonly capabilities: Capabilities;
  /** Of the target's wire. */
  readonly traits: WireTraits;
  /** The operator wants the gateway to place cache breakpoints of this lifetime where the client's wire has no word for them. */
  readonly promptCache?: CacheMark['ttl'];
  /** The server ends good streams without saying why they ended: the wire's terminal alone counts. */
  readonly omitsFinish?: boolean;
  /** The member that this server reads the cap on the output from, where its wire has several. */
  readonly capMember?: string;
}

export interface UpstreamSide<O extends Operation> {
  /** What the wire itself cannot say (no stop on responses, tool-name pattern): intersected with the model's capabilities once, at load. */
  readonly limits: Capabilities;
  /** Pure mapping: everything conditional on the model was done by the fits before. The body is fresh and JSON-ready; the provider may still patch it. */
  encodeRequest(
    request: RequestOf<O>,
    profile: TargetProfile,
    lose: Lose,
  ): { readonly body: JsonObject; readonly headers: Headers };
  /** @throws GatewayError when the body is an error, or cannot be read as an answer */
  decodeResponse(body: unknown, context: ReadContext): ResponseOf<O>;
  decodeStream?(context: ReadContext): EventDecoder;
  /** Any body at all: an object, text, or undefined. Quota is tested before rate limit. */
  decodeError(reply: ErrorReply): GatewayError;
  /**
   * Same wire on both sides: what must change in the client's request, and who watches the answer.
   * `undefined`: what this client asks for cannot be done to bytes that are passed on; the translated lane takes it.
   */
  native?(inbound: InboundRequest, request: RequestOf<O>, profile: TargetProfile): NativePlan | undefined;
}

export interface ErrorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The request that was refused; absent for an error inside an answer. */
  readonly refused?: RefusedRequest;
}
export interface RefusedRequest {
  /** The model's name at the provider. */
  readonly model: string;
  /** As the client sent it: what stands in it may stand in the vendor's message too. */
  readonly body: Uint8Array;
}

/** Frames in, events out. Events of every call are emitted before the call returns. */
export interface EventDecoder {
  push(frame: Frame, emit: EmitEvent): void;
  /** Emits `error` when no terminal event was seen. */
  end(emit: EmitEvent): void;
}
/** Events in, frames out. Writes the wire's own error for an `error` event, also as the first one. */
export interface EventEncoder {
  push(event: GenerateEvent, write: WriteFrame): void;
}
/** Canonical to canonical. Emits at least one event for each terminal event. */
export interface EventFilter {
  push(event: GenerateEvent, emit: EmitEvent): void;
}

/** A vendor's refinement of a failure; `undefined` leaves it to the wire's decoder. */
export type Classify = (reply: ErrorReply) => FailureClass | undefined;

export const defineCodec = <O extends Operation>(codec: Codec<O>): Codec<O> => codec;
