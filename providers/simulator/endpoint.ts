import { toGatewayError, type Endpoint, type Services, type Speech } from '../../core/index.ts';
import { parseModelName } from './directives.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Settings } from './settings.ts';
import { createTransport, STREAM_PATH, type Line, type Model } from './transport.ts';

/** In the order of preference: the first is spoken where the client's own wire is not. */
const wires = ['chat-completions', 'messages', 'responses', 'generate-content'] as const;

/** Nothing leaves the process; the name is reserved so that it cannot resolve (RFC 2606). */
const ORIGIN = 'http://simulator.invalid';

const readModel = (model: string, settings: Settings): Model => {
  try {
    return parseModelName(model, settings);
  } catch (error) {
    return { name: model, settings, refusal: toGatewayError(error) };
  }
};

const createSpeech = (wire: string, line: Line): Speech => ({
  operation: 'generate',
  wire,
  address: ({ stream, headers, body }) => ({ origin: ORIGIN, path: stream ? STREAM_PATH : '/', headers, body }),
  send: createTransport(line),
});

/** Speaks every generation wire whose codec has a client half: a simulator of a vendor does what the gateway does towards its clients. */
export const createEndpoint = (name: string, settings: Settings, services: Services, cache: PromptCache): Endpoint => {
  const model = readModel(name, settings);
  const speaks = wires.flatMap((wire) => {
    const side = services.codec('generate', wire)?.client;
    return side === undefined ? [] : [createSpeech(wire, { side, model, cache, clock: services.clock })];
  });
  return { speaks, origin: { provider: 'simulator', family: 'simulator' } };
};
