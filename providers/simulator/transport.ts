import {
  toGatewayError,
  type Clock,
  type GatewayError,
  type Headers,
  type Operation,
  type Transport,
  type UpstreamReply,
  type UpstreamRequest,
  type Usage,
} from '../../core/api/index.ts';
import { noTokens, parseJson, type ClientSide, type RequestOf, type WriteContext } from '../../core/api/codec.ts';
import { parseUserText } from './answer/directives.ts';
import { createFailure, createReset } from './answer/failure.ts';
import { Pacer } from './pacer.ts';
import type { Settings } from './settings.ts';
import { plainBytes } from './stream.ts';

/** The model as `endpoint()` parsed it. */
export interface Model {
  /** Without directives. */
  readonly name: string;
  readonly settings: Settings;
  /** The directives in the name are invalid: every call fails with this error. */
  readonly refusal?: GatewayError;
}

/** A model on one wire. */
export interface Target<O extends Operation> {
  readonly side: ClientSide<O>;
  readonly model: Model;
  readonly clock: Clock;
}

/** A decoded call. */
export interface ParsedCall<O extends Operation> {
  readonly request: RequestOf<O>;
  /** The text of {@link OperationHandler.readText}, without directives. */
  readonly text: string;
  readonly settings: Settings;
}

/** What a handler responds with. Bytes are a whole body, in which a fault can occur. */
interface Reply {
  /** Default: those of JSON. */
  readonly headers?: Headers;
  readonly body: Uint8Array | UpstreamReply['body'];
}

/** Handles one operation. */
export interface OperationHandler<O extends Operation> {
  /** The text that can hold directives. */
  readText(request: RequestOf<O>): string;
  /** @throws GatewayError 400 when the response would not fit in memory */
  check?(request: RequestOf<O>, settings: Settings): void;
  reply(parsed: ParsedCall<O>, target: Target<O>, pacer: Pacer): Reply;
}

/** The path of streamed calls, for wires whose requests show it in the path only. */
export const STREAM_PATH = '/stream';

/** Some wires require a version header; the others ignore it. */
const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' } as const;
const PLAIN = { 'content-type': 'application/json' } as const;
export const EVENTS = { 'content-type': 'text/event-stream' } as const;

/** An event whose type is also a member of its data. */
export const writeEvent = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

export const formatBody = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));

/** The usage of a call with so many tokens as its input; none if the settings report none. */
export const composeUsage = (
  { pinned, usage }: Settings,
  tokens: number,
  output: Partial<Usage> = {},
): { readonly usage?: Usage } =>
  usage === false
    ? {}
    : { usage: { ...noTokens, inputUncached: pinned?.inputUncached ?? tokens, ...output, source: 'provider' } };

const replyError = <O extends Operation>(side: ClientSide<O>, error: GatewayError, status?: number): UpstreamReply => {
  const encoded = side.encodeError(error, { requestId: 'req_simulator' });
  const body = (async function* () {
    yield formatBody(encoded.body);
  })();
  return { status: status ?? encoded.status, headers: { ...encoded.headers, ...PLAIN }, body };
};

/** @param prompt its digest, from which ids are made, and its tokens, for wires that report them at the start */
export function createContext<O extends Operation>(
  { request }: ParsedCall<O>,
  { clock }: Target<O>,
  { digest, tokens }: { readonly digest: string; readonly tokens: number },
): WriteContext<O> {
  let ids = 0;
  const now = (): number => Math.floor(clock.now() / 1_000);
  return {
    request,
    created: now(),
    now,
    newId: (prefix) => `${prefix}${digest.slice(0, 24)}${ids++}`,
    lose: () => undefined,
    inputEstimate: tokens,
  };
}

const decodeCall = <O extends Operation>(
  { body: raw, path, upload: content }: UpstreamRequest,
  side: ClientSide<O>,
  name: string,
): RequestOf<O> => {
  const body = parseJson(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8'));
  const upload = content && { write: () => content, load: () => Promise.resolve([]) };
  const inbound = { raw, body, headers: HEADERS, query: {}, model: name, stream: path === STREAM_PATH };
  return side.decodeRequest({ ...inbound, ...(upload && { upload }) }).request;
};

/** Whether the response has an error status. An error within a stream is an event instead. */
const startsWithError = ({ status, code, fault }: Settings, stream: boolean): boolean =>
  fault?.kind === 'error' ? !stream : status !== undefined || code !== undefined;

const isStream = <O extends Operation>(request: RequestOf<O>, side: ClientSide<O>): boolean =>
  'stream' in request && request.stream && side.encodeStream !== undefined;

/** @throws GatewayError 400 for a body that the wire refuses, or an unknown directive */
const parseCall = <O extends Operation>(
  call: UpstreamRequest,
  { side, model }: Target<O>,
  handler: OperationHandler<O>,
): ParsedCall<O> => {
  if (model.refusal !== undefined) throw model.refusal;
  const request = decodeCall(call, side, model.name);
  const { text, settings } = parseUserText(handler.readText(request), model.settings);
  handler.check?.(request, settings);
  return { request, text, settings };
};

/** The delay, reset or hang before a response. */
const beforeResponse = async ({ delay, fault }: Settings, pacer: Pacer): Promise<void> => {
  pacer.check();
  if (delay > 0) await pacer.wait(delay);
  if (fault?.at !== 'before') return;
  if (fault.kind === 'reset') throw createReset();
  if (fault.kind === 'hang') await pacer.waitForAbort();
};

/**
 * Responds in process with bytes of the wire. Like a real transport it rejects when the connection breaks and when the
 * caller aborts.
 */
export const createTransport =
  <O extends Operation>(target: Target<O>, handler: OperationHandler<O>): Transport =>
  async (call, signal) => {
    const pacer = new Pacer(signal);
    let parsed: ParsedCall<O>;
    try {
      parsed = parseCall(call, target, handler);
    } catch (error) {
      return replyError(target.side, toGatewayError(error));
    }
    const { request, settings } = parsed;
    await beforeResponse(settings, pacer);
    if (startsWithError(settings, isStream(request, target.side)))
      return replyError(target.side, createFailure(settings), settings.status);
    const { headers = PLAIN, body } = handler.reply(parsed, target, pacer);
    return { status: 200, headers, body: body instanceof Uint8Array ? plainBytes(body, settings, pacer) : body };
  };
