import type { JsonObject } from '../../canonical/wire.ts';
import type { RouteConfig } from '../gateway-config.ts';
import { section, setting } from './section.ts';

/** Served when the file has no `routes`, as far as the wires exist. */
export const standardRoutes = [
  { path: '/v1/chat/completions', wire: 'chat-completions' },
  { path: '/v1/messages', wire: 'messages' },
  { path: '/v1/models', operation: 'models' },
  { path: '/v1/models/{model}', operation: 'models' },
] as const;

export const routeSchema = section(
  'A path that clients call.',
  {
    path: setting('The path. {model} stands for the id of a model, slashes included.', {
      type: 'string',
      pattern: '^/[^\\s?#{}]*(\\{model\\}[^\\s?#{}]*)?$',
      examples: ['/v1/messages', '/v1/models/{model}'],
    }),
    wire: setting('The wire that is spoken here. For operation models: the shape of the list for clients that do not show theirs; chat-completions when left out.', {
      type: 'string',
      minLength: 1,
    }),
    operation: setting('What is asked for here. Left out: generate, or what else the wire is for.', { enum: ['generate', 'embed', 'count-tokens', 'models'] }),
    stream: setting('Answers are always streamed (true) or never (false); for wires that have it in the path.', { type: 'boolean' }),
    versions: setting("Allowed values of the wire's version header. Left out: those the wire knows.", { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } }),
  } satisfies Record<keyof RouteConfig, JsonObject>,
  ['path'],
);
