import { toGatewayError, type Endpoint, type Operation, type Services, type EndpointWire } from '../../core/index.ts';
import { counting } from './count.ts';
import { parseModelName } from './answer/directives.ts';
import { embedding } from './answer/embed.ts';
import { createGenerating } from './answer/generate.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Settings } from './settings.ts';
import { createTransport, STREAM_PATH, type Craft, type Model } from './transport.ts';

/** In the order of preference: the first is spoken where the client's own wire is not. */
const wireNames = {
  'generate': ['chat-completions', 'messages', 'responses', 'generate-content'],
  'embed': ['embeddings', 'embed-content'],
  'count-tokens': ['messages', 'responses', 'generate-content'],
} as const satisfies Record<Operation, readonly string[]>;

/** Nothing leaves the process; the name is reserved so that it cannot resolve (RFC 2606). */
const ORIGIN = 'http://simulator.invalid';

const readModel = (model: string, settings: Settings): Model => {
  try {
    return parseModelName(model, settings);
  } catch (error) {
    return { name: model, settings, refusal: toGatewayError(error) };
  }
};

/** Speaks every wire whose codec has a client half: a simulator of a vendor does what the gateway does towards its clients. */
export function createEndpoint(name: string, settings: Settings, services: Services, cache: PromptCache): Endpoint {
  const model = readModel(name, settings);
  const speak = <O extends Operation>(operation: O, craft: Craft<O>): readonly EndpointWire[] =>
    wireNames[operation].flatMap((wire): readonly EndpointWire[] => {
      const side = services.codec(operation, wire)?.client;
      if (side === undefined) return [];
      const send = createTransport({ side, model, clock: services.clock }, craft);
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
    ...speak('generate', createGenerating(cache)),
    ...speak('embed', embedding),
    ...speak('count-tokens', counting),
  ];
  return { wires, origin: { provider: 'simulator', family: 'simulator' }, cancelEndsCharges: true };
}
