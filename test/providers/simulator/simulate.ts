import type {
  GenerateRequest,
  GenerateResponse,
  JsonObject,
  Operation,
  Services,
  EndpointWire,
  UpstreamReply,
  WireName,
} from '../../../core/api/index.ts';
import type { AnyCodec, Codec, GenerateEvent } from '../../../core/api/codec.ts';
import { createTestServices } from '../../../core/testing/index.ts';
import simulator from '../../../providers/simulator/index.ts';
import type { SimulatorOptions } from '../../../providers/simulator/schema.ts';
import { canonicalCodec } from './canonical-wire.ts';

export const NOW = 1_763_000_000_500;

/** The services of the core, with these codecs and a fixed clock. */
export const createServices = (codecs: readonly AnyCodec[]): Services =>
  createTestServices({
    clock: { now: () => NOW, monotonic: () => 0 },
    codec: <O extends Operation>(operation: O, wire: WireName) =>
      codecs.find((codec) => codec.operation === operation && codec.wire === wire) as Codec<O> | undefined,
  });

export interface Call {
  readonly body: unknown;
  readonly stream?: boolean;
  readonly signal?: AbortSignal;
}
export type Simulate = (call: Call) => Promise<UpstreamReply>;

export const send = async (
  { buildRequest, send: transport }: EndpointWire,
  { body, stream = false, signal = new AbortController().signal }: Call,
): Promise<UpstreamReply> => {
  const bytes = Buffer.from(JSON.stringify(body));
  const upstream = await buildRequest({ model: 'chat', stream, body: bytes, headers: {}, credential: 'none', signal });
  if (transport === undefined) throw new Error('The simulator brings its own transport.');
  return transport(upstream, signal);
};

/** One simulator, called in the canonical form. */
export const createSimulator = async (
  model = 'chat',
  options: SimulatorOptions = {},
  codec = canonicalCodec,
): Promise<Simulate> => {
  const provider = await simulator.create(options, createServices([codec]));
  const [speech] = provider.endpoint(model).wires;
  if (speech === undefined) throw new Error('The simulator speaks nothing.');
  return (call) => send(speech, call);
};

export const readChunks = async ({ body }: UpstreamReply): Promise<readonly string[]> => {
  const chunks: string[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk).toString('utf8'));
  return chunks;
};
export const readText = async (reply: UpstreamReply): Promise<string> => (await readChunks(reply)).join('');

/** The data of each server-sent event. */
export const parseFrames = (text: string): readonly JsonObject[] =>
  text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null') as JsonObject);

export const call = async (
  simulate: Simulate,
  body: GenerateRequest,
): Promise<GenerateResponse & { readonly id: string; readonly created: number }> => {
  const reply = await simulate({ body });
  const text = await readText(reply);
  if (reply.status !== 200) throw new Error(`${reply.status} ${text}`);
  return JSON.parse(text) as GenerateResponse & { readonly id: string; readonly created: number };
};

export const callStream = async (simulate: Simulate, body: GenerateRequest): Promise<readonly GenerateEvent[]> =>
  parseFrames(
    await readText(await simulate({ body: { ...body, stream: true } })),
  ) as unknown as readonly GenerateEvent[];

/** Visible text of one choice. */
export const textOf = (response: GenerateResponse, choice = 0): string =>
  (response.choices[choice]?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');

export const deltasOf = (events: readonly GenerateEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'part-delta' ? [event.text] : []));
