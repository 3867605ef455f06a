import type { EmitEvent, GenerateEvent } from '../canonical/event.ts';
import type { HostedTool } from '../canonical/tool.ts';
import type { KnownMembers } from '../canonical/json/known-members.ts';
import type { Lose } from '../canonical/loss.ts';
import type { TextMembers } from '../canonical/text/text-members.ts';
import type { Headers, JsonObject, Operation, WireName, StoredOperation, StoredPath } from '../canonical/wire.ts';
import type { FailureClass } from '../errors/codes.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { LimitFigures } from '../errors/limit-figures.ts';
import type { Capabilities, WireTraits } from './capabilities.ts';
import type {
  DecodedRequest,
  EncodedError,
  ErrorReply,
  InboundRequest,
  ModelList,
  ReadContext,
  RequestOf,
  ResponseOf,
  TargetProfile,
  WriteContext,
} from './codec-context.ts';
import type { Frame, SocketWire, WriteFrame } from './framing.ts';
import type { NativePlan } from './native.ts';
import type { FormRules } from '../canonical/operation/upload.ts';
import type { KeptReferences, References, Spelling } from './request-members.ts';

/**
 * Translates one wire (an API shape such as chat-completions) to and from the canonical form, for one operation.
 * Registered by (operation, wire). A codec is pure: no I/O, no clock, no randomness, and no conditions on model names.
 */
export interface Codec<O extends Operation = Operation> {
  /** @example operation: 'generate' */
  readonly operation: O;
  /** @example wire: 'chat-completions' */
  readonly wire: WireName;
  /**
   * Properties of the wire that the rules of the core depend on; absent: none.
   * @example traits: { requiresMaxTokens: true, fieldNames: { stop: 'stop_sequences' } }
   */
  readonly traits?: WireTraits;
  /**
   * The side towards clients; absent if the gateway does not offer the wire.
   * @example client: { decodeRequest, encodeResponse, encodeStream, encodeError }
   */
  readonly client?: ClientSide<O>;
  /**
   * The side towards vendors; absent if no endpoint uses the wire.
   * @example upstream: { limits: {}, encodeRequest, decodeResponse, decodeStream, decodeError }
   */
  readonly upstream?: UpstreamSide<O>;
}
/** A codec of any operation. */
export type AnyCodec = { [O in Operation]: Codec<O> }[Operation];

/** The side of a codec towards clients: decodes requests, encodes responses. */
export interface ClientSide<O extends Operation> {
  /**
   * Called once per request. Members without a canonical counterpart go into `extra`. Reports no losses: those depend
   * on the target.
   * @throws GatewayError 400 with `param` for a request that is invalid on this wire
   * @example
   * decodeRequest({ body }) {
   *   const members = readMembers(body);
   *   const model = members.requiredString('model');
   *   return { model, request: { ...decodeTurns(members), extra: { wire: 'slips', members: members.unread() } } };
   * }
   */
  decodeRequest(inbound: InboundRequest): DecodedRequest<O>;
  /**
   * Called for a plain response on the translated lane. Returns the JSON body, or a `FileBody`.
   * @example
   * encodeResponse: ({ id, choices }, { newId }) => ({ id: id ?? newId('slip-'), answers: choices.map(write) })
   */
  encodeResponse(response: ResponseOf<O>, context: WriteContext<O>): unknown;
  /**
   * Creates the encoder of one streamed response; absent if the wire has no streams.
   * @example encodeStream: (context) => new SlipEncoder(context)
   */
  encodeStream?(context: WriteContext<O>): EventEncoder;
  /**
   * Writes a whole response as frames, for a target that cannot stream the operation. Absent: the request is refused.
   * @example encodeAsStream: (response, _context, write) => write(undefined, JSON.stringify(response))
   */
  encodeAsStream?(response: ResponseOf<O>, context: WriteContext<O>, write: WriteFrame): void;
  /**
   * Called for every error before the response starts. Use `error.publicMessage`, not `error.message`.
   * @example encodeError: ({ status, publicMessage }) => ({ status, headers: {}, body: { error: publicMessage } })
   */
  encodeError(error: GatewayError, context: { readonly requestId: string }): EncodedError;
  /**
   * The rate limit headers of this wire; absent: it has none.
   * @example encodeLimits: ({ requests }): Headers => (requests ? { 'x-remaining': String(requests.remaining) } : {})
   */
  encodeLimits?(figures: LimitFigures): Headers;
  /**
   * A frame that keeps a stream open after the first content. Absent: the framing's `idle` text is used.
   * @example keepalive: { event: 'ping', data: '{"type":"ping"}' }
   */
  readonly keepalive?: { readonly event: string; readonly data: string };
  /**
   * The models list in the format of this wire; absent: the wire has none.
   * @example models: { list: (models) => ({ data: models.map(write) }), one: write }
   */
  readonly models?: ModelList;
  /**
   * Members that reference vendor state. The caller's project must own it, unless `vendorState` says otherwise.
   * @example references: defineReferences({ previous_response_id: true })
   */
  readonly references?: References;
  /**
   * Calls with the id of a response that its vendor stores, below the path of each route that generates. Absent: none.
   * @example stored: { retrieve: { method: 'GET', suffix: '' } }
   */
  readonly stored?: Readonly<Partial<Record<StoredOperation, StoredPath>>>;
  /**
   * Members that limit, price or route a request. A body is refused if one occurs twice or in another spelling.
   * @example spelling: defineSpelling({ model: true, max_tokens: true })
   */
  readonly spelling?: Spelling;
  /** Requests are multipart forms. Absent: they are JSON. @example form: { files: { file: 'audio' } } */
  readonly form?: FormRules;
  /**
   * What the strings of requests are that are more or less than text: ids, base64, arguments in JSON. Content filters
   * read and change requests by it. Absent: only what all wires share.
   * @example textMembers: defineTextMembers({ 'tool_call_id': 'word', 'image.data': 'bytes' })
   */
  readonly textMembers?: TextMembers;
  /**
   * The tools of a request that run at the vendor, wherever the body names one: `hostedTools` of a key says which are
   * allowed, and limits reserve what they cost. Called once per request. Absent: an allow-list refuses all of them.
   * @example
   * hostedTools: (body) =>
   *   readObject(body)['search'] === true ? [{ kind: 'web_search', type: 'search', place: ['search'] }] : []
   */
  hostedTools?(body: unknown, request: RequestOf<O>): readonly HostedTool[];
  /**
   * References to earlier responses that the gateway can have kept (`keep` of {@link WriteContext}). Absent: none.
   * @example kept: { find: ({ previous_id: id }) => (typeof id === 'string' ? [id] : []), restore, input }
   */
  readonly kept?: KeptReferences;
  /**
   * The wire over a WebSocket, where `server.websocket` is on. Absent: an upgrade is refused.
   * @example socket: { open: () => new SlipDialog() }
   */
  readonly socket?: SocketWire;
}

/** The side of a codec towards vendors: encodes requests, decodes responses. */
export interface UpstreamSide<O extends Operation> {
  /**
   * What the wire itself cannot express. Combined with the capabilities of each model once at load.
   * @example limits: { stop: false, toolName: /^\w{1,64}$/ }
   */
  readonly limits: Capabilities;
  /**
   * The members of usage that this codec reads, or that cost nothing; others are logged. Absent: none is noticed.
   * @example usageMembers: defineKnownMembers({ input_tokens: true, cache: { read_tokens: true } })
   */
  readonly usageMembers?: KnownMembers;
  /** A form of the client is sent as a form, with the texts of the body. Absent: as JSON. @example takesForms: true */
  readonly takesForms?: true;
  /**
   * Called per attempt on the translated lane. A pure mapping: fits have already adapted the request to the model.
   * Returns a new JSON body, to which the edits of the endpoint are applied.
   * @example
   * encodeRequest: (request, { model, wire }, lose) => ({
   *   body: { model, prompt: promptOf(request), ...writeExtraMembers(request.extra, wire, lose) },
   *   headers: {},
   * })
   */
  encodeRequest(
    request: RequestOf<O>,
    profile: TargetProfile,
    lose: Lose,
  ): { readonly body: JsonObject; readonly headers: Headers };
  /**
   * Called with the parsed body of a plain response, or with its bytes (a `Uint8Array`) if it is audio.
   * @throws GatewayError if the body is an error, or is not a response of this wire
   * @example decodeResponse: (body, { lose }) => ({ choices: readObjects(readObject(body)['answers']).map(read) })
   */
  decodeResponse(body: unknown, context: ReadContext): ResponseOf<O>;
  /**
   * Creates the decoder of one streamed response; absent if the wire has no streams.
   * @example decodeStream: (context) => createEventDecoder((events) => new SlipReader(context, events))
   */
  decodeStream?(context: ReadContext): EventDecoder;
  /**
   * Called with the response to a failed call. The body can be anything: an object, text, undefined. Test for an
   * exhausted quota before a rate limit, because vendors send both with status 429.
   * @example decodeError: (reply) => upstreamError('slips', reply)
   */
  decodeError(reply: ErrorReply): GatewayError;
  /**
   * Called per attempt if client and target use this wire: the edits of the request, and the tap of the response.
   * Undefined: the request needs what edits cannot change, and is translated. Absent: every request is.
   * @example
   * native: ({ headers }, request, { model }) => ({ edits: [{ member: 'model', value: model }], headers: {}, tap })
   */
  native?(inbound: InboundRequest, request: RequestOf<O>, profile: TargetProfile): NativePlan | undefined;
}

/** Decodes the frames of an upstream stream into events. One instance per stream. */
export interface EventDecoder {
  /**
   * Called with each frame. All its events are emitted before the call returns.
   * @example push({ data }, emit) { emit({ type: 'part-delta', choice: 0, part: 0, text: data }); }
   */
  push(frame: Frame, emit: EmitEvent): void;
  /**
   * Called after the last frame. Emits `error` if the terminal event is missing.
   * @example end(emit) { if (!finished) emit({ type: 'error', error: new GatewayError('upstream_truncated') }); }
   */
  end(emit: EmitEvent): void;
}

/** Encodes events into frames of a stream to a client. One instance per stream. */
export interface EventEncoder {
  /**
   * Called with each event. An `error` event, which can be the first one, is written in the error format of the wire.
   * @example
   * push(event, write) { if (event.type === 'part-delta') write(undefined, JSON.stringify({ text: event.text })); }
   */
  push(event: GenerateEvent, write: WriteFrame): void;
}

/** Transforms events into events. One instance per stream. */
export interface EventFilter {
  /**
   * Called with each event. Emits any number of events, but at least one for each terminal event.
   * @example push(event, emit) { emit(event.type === 'part-delta' ? { ...event, text: redact(event.text) } : event); }
   */
  push(event: GenerateEvent, emit: EmitEvent): void;
}

/** Classifies a vendor's failure more precisely than the wire does; undefined: the codec's `decodeError` decides. */
export type Classify = (reply: ErrorReply) => FailureClass | undefined;

/**
 * Declares a codec: an identity function that checks its type.
 * @example
 * export const slips = defineCodec<'generate'>({
 *   operation: 'generate',
 *   wire: 'slips',
 *   client: { decodeRequest, encodeResponse, encodeError },
 *   upstream: { limits: {}, encodeRequest, decodeResponse, decodeError },
 * });
 */
export const defineCodec = <O extends Operation>(codec: Codec<O>): Codec<O> => codec;
