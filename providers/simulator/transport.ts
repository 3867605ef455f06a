import {
  parseJson,
  toGatewayError,
  type ClientSide,
  type Clock,
  type GatewayError,
  type Operation,
  type RequestOf,
  type Transport,
  type UpstreamReply,
  type UpstreamRequest,
  type WriteContext,
} from '../../core/index.ts';
import { parseUserText } from './answer/directives.ts';
import { createFailure, createReset } from './answer/failure.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { Settings } from './settings.ts';

/** The model as `endpoint()` read it. */
export interface Model {
  /** Without its directives. */
  readonly name: string;
  readonly settings: Settings;
  /** Why the directives in its name cannot be read: what every call is answered with. */
  readonly refusal?: GatewayError;
}

/** A model on one wire. */
export interface Line<O extends Operation> {
  readonly side: ClientSide<O>;
  readonly model: Model;
  readonly clock: Clock;
}

/** What a caller wants. */
export interface Asked<O extends Operation> {
  readonly request: RequestOf<O>;
  /** What {@link Craft.readText} found, without its directives. */
  readonly text: string;
  readonly settings: Settings;
}

/** How one operation is done. */
export interface Craft<O extends Operation> {
  /** The text that may hold directives. */
  readText(request: RequestOf<O>): string;
  /** @throws GatewayError 400 when the answer would be too large to be held */
  check(request: RequestOf<O>, settings: Settings): void;
  reply(asked: Asked<O>, line: Line<O>, pacer: Pacer): UpstreamReply;
}

/** The path of calls that stream, for wires that say so in the path alone. */
export const STREAM_PATH = '/stream';

/** Wires that demand a version get the one that every SDK sends; the others do not look. */
const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' } as const;
export const PLAIN = { 'content-type': 'application/json' } as const;

export const formatBody = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));

const replyError = <O extends Operation>(side: ClientSide<O>, error: GatewayError, status?: number): UpstreamReply => {
  const encoded = side.encodeError(error, { requestId: 'req_simulator' });
  const body = (async function* () {
    yield formatBody(encoded.body);
  })();
  return { status: status ?? encoded.status, headers: { ...encoded.headers, ...PLAIN }, body };
};

/** @param prompt its digest, which ids are made of, and its tokens, for wires that show a count early */
export function createContext<O extends Operation>(
  { request }: Asked<O>,
  { clock }: Line<O>,
  { digest, tokens }: { readonly digest: string; readonly tokens: number },
): WriteContext<O> {
  let ids = 0;
  return {
    request,
    created: Math.floor(clock.now() / 1_000),
    newId: (prefix) => `${prefix}${digest.slice(0, 24)}${ids++}`,
    lose: () => undefined,
    inputEstimate: tokens,
  };
}

const decodeCall = <O extends Operation>(
  { body: raw, path }: UpstreamRequest,
  side: ClientSide<O>,
  name: string,
): RequestOf<O> => {
  const body = parseJson(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8'));
  return side.decodeRequest({ raw, body, headers: HEADERS, query: {}, model: name, stream: path === STREAM_PATH })
    .request;
};

/** Does the answer begin with an error status? An error that was asked for within a stream comes as an event. */
const isRefused = ({ status, code, fault }: Settings, stream: boolean): boolean =>
  fault?.kind === 'error' ? !stream : status !== undefined || code !== undefined;

const isStream = <O extends Operation>(request: RequestOf<O>, side: ClientSide<O>): boolean =>
  'stream' in request && request.stream && side.encodeStream !== undefined;

/** @throws GatewayError 400 for a body that the wire refuses, and for a directive that is not known */
const prepareCall = <O extends Operation>(
  call: UpstreamRequest,
  { side, model }: Line<O>,
  craft: Craft<O>,
): Asked<O> => {
  if (model.refusal !== undefined) throw model.refusal;
  const request = decodeCall(call, side, model.name);
  const { text, settings } = parseUserText(craft.readText(request), model.settings);
  craft.check(request, settings);
  return { request, text, settings };
};

/** What may happen before there is an answer: the wait, the broken connection, the silence. */
const openCall = async ({ delay, fault }: Settings, pacer: Pacer): Promise<void> => {
  pacer.check();
  if (delay > 0) await pacer.wait(delay);
  if (fault?.at !== 'before') return;
  if (fault.kind === 'reset') throw createReset();
  if (fault.kind === 'hang') await pacer.waitForAbort();
};

/** Answers in process, as bytes of the wire asked for. Rejects as a real transport does: when the connection breaks, and when the caller leaves. */
export const createTransport =
  <O extends Operation>(line: Line<O>, craft: Craft<O>): Transport =>
  async (call, signal) => {
    const pacer = createPacer(signal);
    let asked: Asked<O>;
    try {
      asked = prepareCall(call, line, craft);
    } catch (error) {
      return replyError(line.side, toGatewayError(error));
    }
    const { request, settings } = asked;
    await openCall(settings, pacer);
    if (isRefused(settings, isStream(request, line.side)))
      return replyError(line.side, createFailure(settings), settings.status);
    return craft.reply(asked, line, pacer);
  };
