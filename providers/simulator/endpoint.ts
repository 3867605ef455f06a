import {
  toGatewayError,
  type Endpoint,
  type Operation,
  type Services,
  type EndpointWire,
} from '../../core/api/index.ts';
import { parseModelName } from './answer/directives.ts';
import { embedHandler } from './answer/embed.ts';
import { countHandler, createGenerateHandler } from './answer/generate.ts';
import { imageHandler } from './answer/image.ts';
import { moderateHandler } from './answer/moderate.ts';
import { rerankHandler } from './answer/rerank.ts';
import { speakHandler } from './answer/speak.ts';
import { transcribeHandler, translateHandler } from './answer/transcribe.ts';
import { createPromptCache } from './prompt-cache.ts';
import type { Settings } from './settings.ts';
import { createTransport, STREAM_PATH, type OperationHandler, type Model } from './transport.ts';

/** In order of preference: the first is used for clients of other wires. */
const wireNames = {
  'generate': ['chat-completions', 'messages', 'responses', 'generate-content', 'completions', 'interactions'],
  'embed': ['embeddings', 'embed-content'],
  'moderate': ['moderations'],
  'rerank': ['rerank', 'cohere-rerank'],
  'transcribe': ['transcriptions'],
  'translate': ['translations'],
  'speak': ['speech'],
  'image': ['image-generations', 'image-edits', 'image-variations'],
  'count-tokens': ['messages', 'responses', 'generate-content', 'tokenize'],
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

const buildRequest: EndpointWire['buildRequest'] = ({ stream, headers, body }) => ({
  origin: ORIGIN,
  path: stream ? STREAM_PATH : '/',
  headers,
  body,
});

/**
 * Serves every wire whose codec has a client side: a simulated vendor does what the gateway does for its clients.
 * @returns creates the endpoint of a model
 */
export function createEndpoints(settings: Settings, services: Services): (name: string) => Endpoint {
  const { clock } = services;
  const serve = <O extends keyof typeof wireNames>(operation: O, handler: OperationHandler<O>) =>
    wireNames[operation].flatMap((wire) => {
      const side = services.codec(operation, wire)?.client;
      if (side === undefined) return [];
      return [
        (model: Model): EndpointWire => ({
          operation,
          wire,
          buildRequest,
          send: createTransport({ side, model, clock }, handler),
        }),
      ];
    });
  const all = [
    ...serve('generate', createGenerateHandler(createPromptCache())),
    ...serve('embed', embedHandler),
    ...serve('moderate', moderateHandler),
    ...serve('rerank', rerankHandler),
    ...serve('transcribe', transcribeHandler),
    ...serve('translate', translateHandler),
    ...serve('speak', speakHandler),
    ...serve('image', imageHandler),
    ...serve('count-tokens', countHandler),
  ];
  return (name) => {
    const model = readModel(name, settings);
    const wires = all.map((create) => create(model));
    return { wires, origin: { provider: 'simulator', family: 'simulator' }, cancelEndsCharges: true };
  };
}
