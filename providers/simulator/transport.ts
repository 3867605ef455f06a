import {
  parseJson,
  toGatewayError,
  type ClientSide,
  type Clock,
  type GatewayError,
  type GenerateRequest,
  type Transport,
  type UpstreamReply,
  type UpstreamRequest,
  type WriteContext,
} from '../../core/index.ts';
import { checkSize, composeAnswer } from './answer.ts';
import { readConversation, type Conversation } from './conversation.ts';
import { parseUserText } from './directives.ts';
import { createFailure, createReset } from './failure.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { readPrompt, type Prompt } from './prompt.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Settings } from './settings.ts';
import { plainBytes, streamBytes } from './stream.ts';

/** The model as `endpoint()` read it. */
export interface Model {
  /** Without its directives. */
  readonly name: string;
  readonly settings: Settings;
  /** Why the directives in its name cannot be read: what every call is answered with. */
  readonly refusal?: GatewayError;
}

export interface Line {
  readonly side: ClientSide<'generate'>;
  readonly model: Model;
  readonly cache: PromptCache;
  readonly clock: Clock;
}

interface Prepared {
  readonly request: GenerateRequest;
  readonly conversation: Conversation;
  readonly settings: Settings;
}

/** The path of calls that stream, for wires that say so in the path alone. */
export const STREAM_PATH = '/stream';

/** Wires that demand a version get the one that every SDK sends; the others do not look. */
const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' } as const;
const PLAIN = { 'content-type': 'application/json' } as const;
const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' } as const;

const formatBody = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));

const replyError = (side: ClientSide<'generate'>, error: GatewayError, status?: number): UpstreamReply => {
  const encoded = side.encodeError(error, { requestId: 'req_simulator' });
  const body = (async function* () {
    yield formatBody(encoded.body);
  })();
  return { status: status ?? encoded.status, headers: { ...encoded.headers, ...PLAIN }, body };
};

const createContext = ({ request, settings }: Prepared, { digest, tokens }: Prompt, clock: Clock): WriteContext => {
  let ids = 0;
  return {
    request,
    created: Math.floor(clock.now() / 1_000),
    newId: (prefix) => `${prefix}${digest.slice(0, 24)}${ids++}`,
    lose: () => undefined,
    // Wires that always show a count show none where none was wanted.
    inputEstimate: settings.usage === false ? 0 : tokens,
  };
};

const decodeCall = ({ body: raw, path }: UpstreamRequest, side: ClientSide<'generate'>, name: string): GenerateRequest => {
  const body = parseJson(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8'));
  return side.decodeRequest({ raw, body, headers: HEADERS, query: {}, model: name, stream: path === STREAM_PATH }).request;
};

/** Does the answer begin with an error status? An error that was asked for within a stream comes as an event. */
const isRefused = ({ status, code, fault }: Settings, stream: boolean): boolean =>
  fault?.kind === 'error' ? !stream : status !== undefined || code !== undefined;

/** @throws GatewayError 400 for a body that the wire refuses, and for a directive that is not known */
const prepareCall = (call: UpstreamRequest, { side, model }: Line): Prepared => {
  if (model.refusal !== undefined) throw model.refusal;
  const request = decodeCall(call, side, model.name);
  const { text, results } = readConversation(request);
  const asked = parseUserText(text, model.settings);
  checkSize(request, asked.settings);
  return { request, conversation: { text: asked.text, results }, settings: asked.settings };
};

/** What may happen before there is an answer: the wait, the broken connection, the silence. */
const openCall = async ({ delay, fault }: Settings, pacer: Pacer): Promise<void> => {
  pacer.check();
  if (delay > 0) await pacer.wait(delay);
  if (fault?.at !== 'before') return;
  if (fault.kind === 'reset') throw createReset();
  if (fault.kind === 'hang') await pacer.waitForAbort();
};

const composeReply = (prepared: Prepared, { side, model, cache, clock }: Line, pacer: Pacer): UpstreamReply => {
  const { request, conversation, settings } = prepared;
  if (isRefused(settings, request.stream && side.encodeStream !== undefined)) return replyError(side, createFailure(settings), settings.status);
  const prompt = readPrompt(request);
  const response = composeAnswer({ request, conversation, prompt, cache: cache.count(prompt), settings }, model.name);
  const context = createContext(prepared, prompt, clock);
  const encoder = request.stream ? side.encodeStream?.(context) : undefined;
  if (encoder !== undefined) return { status: 200, headers: STREAM, body: streamBytes(response, encoder, settings, pacer) };
  return { status: 200, headers: PLAIN, body: plainBytes(formatBody(side.encodeResponse(response, context)), settings, pacer) };
};

/** Answers in process, as bytes of the wire asked for. Rejects as a real transport does: when the connection breaks, and when the caller leaves. */
export const createTransport = (line: Line): Transport => async (call, signal) => {
  const pacer = createPacer(signal);
  let prepared: Prepared;
  try {
    prepared = prepareCall(call, line);
  } catch (error) {
    return replyError(line.side, toGatewayError(error));
  }
  await openCall(prepared.settings, pacer);
  return composeReply(prepared, line, pacer);
};
