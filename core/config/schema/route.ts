import type { JsonObject } from '../../canonical/wire.ts';
import type { RouteConfig } from '../gateway-config.ts';
import { section, setting } from './section.ts';

/** Served when the file has no `routes`, as far as the wires exist. */
export const standardRoutes = [
  { path: '/v1/chat/completions', wire: 'chat-completions' },
  { path: '/v1/messages', wire: 'messages' },
  { path: '/v1/messages/count_tokens', wire: 'messages', operation: 'count-tokens' },
  { path: '/v1/responses', wire: 'responses' },
  { path: '/v1/responses/input_tokens', wire: 'responses', operation: 'count-tokens' },
  { path: '/v1/embeddings', wire: 'embeddings' },
  ...['/v1', '/v1beta'].flatMap((version) => [
    { path: `${version}/models/{model}:generateContent`, wire: 'generate-content' },
    { path: `${version}/models/{model}:streamGenerateContent`, wire: 'generate-content', stream: true },
    { path: `${version}/models/{model}:countTokens`, wire: 'generate-content', operation: 'count-tokens' },
    { path: `${version}/models/{model}:embedContent`, wire: 'embed-content' },
    { path: `${version}/models/{model}:batchEmbedContents`, wire: 'embed-content' },
  ]),
  { path: '/v1/models', operation: 'models' },
  { path: '/v1/models/{model}', operation: 'models' },
  { path: '/v1beta/models', operation: 'models', wire: 'generate-content' },
  { path: '/v1beta/models/{model}', operation: 'models', wire: 'generate-content' },
] as const;

export const routeSchema = section(
  'A path that clients call.',
  {
    path: setting('The path. {model} stands for the id of a model, slashes included.', {
      type: 'string',
      pattern: '^/[^\\s?#{}]*(\\{model\\}[^\\s?#{}]*)?$',
      examples: ['/v1/messages', '/v1/models/{model}'],
    }),
    wire: setting(
      'The wire that is spoken here. For operation models: ' +
        'the shape of the list for clients that do not show theirs; chat-completions when left out.',
      {
        type: 'string',
        minLength: 1,
      },
    ),
    operation: setting('What is asked for here. Left out: generate, or what else the wire is for.', {
      enum: ['generate', 'embed', 'count-tokens', 'models'],
    }),
    stream: setting(
      'Answers are always streamed (true) or never (false); for wires that have it in the path. Left out: ' +
        'as the request says.',
      { type: 'boolean' },
    ),
    versions: setting("Allowed values of the wire's version header. Left out: those the wire knows.", {
      type: 'array',
      minItems: 1,
      items: { type: 'string', minLength: 1 },
    }),
    losses: setting(
      'What happens to requests that a translation would take something from: ' +
        'the loss is named (allow, the default), logged as a warning too (warn), or refused with a 400 (reject).',
      {
        enum: ['allow', 'warn', 'reject'],
      },
    ),
    vendorState: setting(
      'allow: requests may refer to what is kept at a provider (previous_response_id, file ids, caches, ' +
        'containers), whichever caller it is of. Left out or refuse: ' +
        'such a request is a 400, unless its key allows it.',
      {
        enum: ['allow', 'refuse'],
      },
    ),
  } satisfies Record<keyof RouteConfig, JsonObject>,
  ['path'],
);
