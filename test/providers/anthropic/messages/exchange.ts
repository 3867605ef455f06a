import { messagesCodec } from '../../../../providers/anthropic/messages/index.ts';
import type { GenerateRequest, Headers, JsonObject } from '../../../../core/api/index.ts';
import type {
  Frame,
  GenerateEvent,
  InboundRequest,
  Loss,
  ReadContext,
  TargetProfile,
  WriteContext,
} from '../../../../core/api/codec.ts';
import { sse } from '../../../../core/framing/sse.ts';
import { traitsOf } from '../../traits-of.ts';

const { client, upstream } = messagesCodec;
if (client === undefined || upstream === undefined) throw new Error('the codec has a client and an upstream side');
export const clientSide = client;
export const upstreamSide = upstream;

export const versioned: Headers = { 'anthropic-version': '2023-06-01' };

export const inbound = (body: unknown, headers: Headers = versioned): InboundRequest => ({
  raw: Buffer.from(JSON.stringify(body) ?? ''),
  body,
  headers,
  query: {},
});

export const minimal = { model: 'anthropic/claude', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };

/** A request of this wire, decoded: the minimal one with the given members. */
export const decode = (members: JsonObject = {}, headers?: Headers): GenerateRequest =>
  clientSide.decodeRequest(inbound({ ...minimal, ...members }, headers)).request;

/** A canonical request as a client of another wire makes it. */
export const foreign = (members: Partial<GenerateRequest> = {}): GenerateRequest => ({
  wire: 'chat-completions',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  maxTokens: 100,
  choices: 1,
  stream: false,
  includeUsage: false,
  extra: { wire: 'chat-completions', members: {} },
  ...members,
});

export const origin = { provider: 'anthropic', family: 'claude' };
export const profile: TargetProfile = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  wire: 'messages',
  origin,
  capabilities: {},
  traits: traitsOf('messages'),
};

export const collectLosses = (): {
  readonly losses: Loss[];
  readonly lose: (field: string, kind: Loss['kind'], detail: string) => void;
} => {
  const losses: Loss[] = [];
  return { losses, lose: (field, kind, detail) => losses.push({ field, kind, detail }) };
};

/** The upstream body of a request, with its headers and losses. */
export const encode = (
  request: GenerateRequest,
): { readonly body: JsonObject; readonly headers: Headers; readonly losses: readonly Loss[] } => {
  const { losses, lose } = collectLosses();
  return { ...upstreamSide.encodeRequest(request, profile, lose), losses };
};

export const readContext = (members: Partial<ReadContext> = {}): ReadContext => ({
  origin,
  turn: 1,
  lose: () => {},
  ...members,
});

export const writeContext = (members: Partial<WriteContext> = {}): WriteContext => ({
  request: decode(),
  created: 1_700_000_000,
  now: () => 1_700_000_001,
  newId: (prefix) => `${prefix}fresh`,
  lose: () => {},
  inputEstimate: 7,
  ...members,
});

export const framesOf = (text: string): readonly Frame[] => {
  const frames: Frame[] = [];
  const decoder = sse.decoder({ frameBytes: 1_000_000 });
  decoder.push(Buffer.from(text), (frame) => frames.push(frame));
  decoder.end((frame) => frames.push(frame));
  return frames.filter(({ event, data }) => event !== undefined || data !== '');
};

/** Objects as the frames of a stream of this wire. */
export const frames = (...events: readonly JsonObject[]): readonly Frame[] =>
  events.map((event) => ({ event: String(event['type']), data: JSON.stringify(event) }));

/** The events of an upstream stream, its end included. */
export const readStream = (
  source: readonly Frame[],
  context: ReadContext = readContext(),
): readonly GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  const decoder = upstreamSide.decodeStream?.(context);
  for (const frame of source) decoder?.push(frame, (event) => events.push(event));
  decoder?.end((event) => events.push(event));
  return events;
};

/** The frames for a client of this wire, parsed. */
export const writeStream = (
  events: readonly GenerateEvent[],
  context: WriteContext = writeContext(),
): readonly JsonObject[] => {
  const written: JsonObject[] = [];
  const encoder = clientSide.encodeStream?.(context);
  for (const event of events)
    encoder?.push(event, (name, data) => written.push({ event: name, ...(JSON.parse(data) as JsonObject) }));
  return written;
};

/** The same frames as text. */
export const writeSse = (events: readonly GenerateEvent[], context: WriteContext = writeContext()): string => {
  let text = '';
  const encoder = clientSide.encodeStream?.(context);
  for (const event of events)
    encoder?.push(event, (name, data) => (text += sse.writer?.frame(name, data, text === '') ?? ''));
  return text;
};
