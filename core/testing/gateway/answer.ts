import type { Headers, Operation, Part, Usage, WireName } from '../../api/index.ts';
import {
  type AnyCodec,
  type Codec,
  type GenerateEvent,
  type InboundRequest,
  noTokens,
  type ResponseOf,
} from '../../api/codec.ts';
import { defaultOperation } from '../../config/resolve/default-operation.ts';
import type { RouteConfig } from '../../config/gateway-config.ts';
import { standardRoutes } from '../../config/schema/route.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Registry } from '../../extensions/registry.ts';
import { createWriteContext } from '../contexts.ts';
import { encodeEvents, listEvents } from '../streams.ts';

/** Content that the upstream writes in the wire of the request, plain or streamed as the request asks. */
export interface TestContent {
  /** A stream has one delta for each text of the list, or for each word of a single text. */
  readonly text?: string | readonly string[];
  /** In place of `text`: tool calls, reasoning, refusals. */
  readonly parts?: readonly Part[];
  /** Default: 10 tokens of input, and 5 of output. */
  readonly usage?: Partial<Usage>;
}

/** A response as it is sent: for failures, and for wires of one's own. */
export interface TestResponse {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Headers;
  /** An object is sent as JSON. If an iterable throws, the connection is cut. */
  readonly body: string | Uint8Array | object | AsyncIterable<string | Uint8Array>;
}

/** How the upstream answers a request. */
export type TestAnswer = TestContent | TestResponse;

/** The address of an operation at a vendor. */
export interface WireRoute {
  readonly operation: Operation;
  readonly wire: WireName;
  /** From the path, on wires that have it there: whether the response is streamed. */
  readonly stream: boolean;
  /** From the path, on wires that have it there. */
  readonly model?: string;
}

interface RoutePattern extends Omit<WireRoute, 'operation' | 'model'> {
  readonly end: RegExp;
  readonly operation?: Operation;
}

const patterns = (standardRoutes as readonly Partial<RouteConfig>[]).flatMap(
  ({ path = '', wire, operation, stream = false }): readonly RoutePattern[] => {
    if (wire === undefined || operation === 'models') return [];
    const end = path.replace(/^\/v1(?:beta)?/, '').replace('{model}', '(?<model>[^/]+)');
    return [{ end: new RegExp(`${end}$`), wire, stream, ...(operation === undefined ? {} : { operation }) }];
  },
);

/** The wire that a vendor serves at a path, whatever the path begins with. */
export function findWireRoute(path: string, codecs: readonly AnyCodec[]): WireRoute | undefined {
  for (const { end, wire, stream, operation = defaultOperation(wire, codecs) } of patterns) {
    const found = end.exec(path);
    const model = found?.groups?.['model'];
    if (found !== null) return { operation, wire, stream, ...(model === undefined ? {} : { model }) };
  }
  return undefined;
}

const usageOf = (given: Partial<Usage> = {}): Usage => ({
  ...noTokens,
  inputUncached: 10,
  output: 5,
  source: 'provider',
  ...given,
});

const piecesOf = (text: string | readonly string[]): readonly string[] =>
  typeof text === 'string' ? (text.match(/\S+\s*|\s+/g) ?? []) : text;

const writeJson = (body: unknown): TestResponse => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function generate(
  codec: Codec<'generate'>,
  inbound: InboundRequest,
  { text = 'Hello from the upstream.', parts, usage }: TestContent,
  registry: Registry,
): TestResponse {
  const { model, request, framing = 'sse' } = decode(codec, inbound);
  const pieces = piecesOf(text);
  const content = parts ?? [{ type: 'text', text: pieces.join('') }];
  const reason = content.some(({ type }) => type === 'tool-call') ? 'tool_calls' : 'stop';
  const response: ResponseOf<'generate'> = {
    model,
    choices: Array.from({ length: request.choices }, () => ({ parts: content, finish: { reason } })),
    usage: usageOf(usage),
  };
  const context = createWriteContext(request);
  if (!request.stream) return writeJson(codec.client?.encodeResponse(response, context));
  const events = listEvents(response).flatMap((event): readonly GenerateEvent[] =>
    event.type === 'part-delta' && parts === undefined ? pieces.map((piece) => ({ ...event, text: piece })) : [event],
  );
  const { contentType = '', writer } = registry.framing(framing) ?? {};
  const frames = encodeEvents(codec, events, context);
  const lines = frames.map(({ event, data }, index) => writer?.frame(event, data, index === 0) ?? '');
  return { headers: { 'content-type': contentType }, body: [...lines, writer?.close() ?? ''].join('') };
}

const decode = <O extends Operation>(codec: Codec<O>, inbound: InboundRequest) => {
  if (codec.client === undefined) throw new GatewayError('internal_error', `${codec.wire} has no client side.`);
  return codec.client.decodeRequest(inbound);
};

/** Writes content in the wire of a request. @throws GatewayError if the vendor would refuse the request */
export function writeContent(
  { operation, wire }: WireRoute,
  inbound: InboundRequest,
  content: TestContent,
  registry: Registry,
): TestResponse {
  const codec = registry.codec('generate', wire);
  if (operation === 'generate' && codec !== undefined) return generate(codec, inbound, content, registry);
  const embed = registry.codec('embed', wire);
  if (operation === 'embed' && embed !== undefined) {
    const { model, request } = decode(embed, inbound);
    const vectors = request.inputs.map(() => new Float32Array(request.dimensions ?? 3).fill(0.5));
    const response = { model, vectors, usage: usageOf({ output: 0, ...content.usage }) };
    return writeJson(embed.client?.encodeResponse(response, createWriteContext<'embed'>(request)));
  }
  const count = operation === 'count-tokens' ? registry.codec(operation, wire) : undefined;
  if (count === undefined) throw new GatewayError('internal_error', `No codec for ${operation} on ${wire}.`);
  const { request } = decode(count, inbound);
  const response = { inputTokens: usageOf(content.usage).inputUncached, estimated: false };
  return writeJson(count.client?.encodeResponse(response, createWriteContext<'count-tokens'>(request)));
}
