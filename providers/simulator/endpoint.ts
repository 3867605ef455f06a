import {
  toGatewayError,
  type Endpoint,
  type Operation,
  type Services,
  type EndpointWire,
} from '../../core/api/index.ts';
import { countHandler } from './count.ts';
import { parseModelName } from './answer/directives.ts';
import { embedHandler } from './answer/embed.ts';
import { createGenerateHandler } from './answer/generate.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Settings } from './settings.ts';
import { createTransport, STREAM_PATH, type OperationHandler, type Model } from './transport.ts';

/** In order of preference: the first is used for clients of other wires. */
const wireNames = {
  'generate': ['chat-completions', 'messages', 'responses', 'generate-content'],
  'embed': ['embeddings', 'embed-content'],
  'count-tokens': ['messages', 'responses', 'generate-content'],
} as const satisfies Partial<Record<Operation, readonly string[]>>;

/** Nothing leaves the process. The name is reserved and cannot resolve (RFC 2606). */
const ORIGIN = 'http://simulator.invalid';

const readModel = (model: string, settings: Settings): Model => {
  try {
    return parseModelName(model, settings);
  } catch (error) {
    return { name: model, settings, refusal: toGatewayError(error) };
  }
};

/** Serves every wire whose codec has a client side: a simulated vendor does what the gateway does for its clients. */
export function createEndpoint(name: string, settings: Settings, services: Services, cache: PromptCache): Endpoint {
  const model = readModel(name, settings);
  const serve = <O extends keyof typeof wireNames>(
    operation: O,
    handler: OperationHandler<O>,
  ): readonly EndpointWire[] =>
    wireNames[operation].flatMap((wire): readonly EndpointWire[] => {
      const side = services.codec(operation, wire)?.client;
      if (side === undefined) return [];
      const send = createTransport({ side, model, clock: services.clock }, handler);
      return [
        {
          operation,
          wire,
          buildRequest: ({ stream, headers, body }) => ({
            origin: ORIGIN,
            path: stream ? STREAM_PATH : '/',
            headers,
            body,
          }),
          send,
        },
      ];
    });
  const wires = [
    ...serve('generate', createGenerateHandler(cache)),
    ...serve('embed', embedHandler),
    ...serve('count-tokens', countHandler),
  ];
  return { wires, origin: { provider: 'simulator', family: 'simulator' }, cancelEndsCharges: true };
}
