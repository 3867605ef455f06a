import { operationNames } from '../../canonical/operation/operations.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { RouteConfig } from '../gateway-config.ts';
import { hostedToolsSetting } from './hosted-tools.ts';
import { section, setting } from './section.ts';

/** The routes of a file without `routes`. Those whose wire does not exist are left out. */
export const standardRoutes = [
  { path: '/v1/chat/completions', wire: 'chat-completions' },
  { path: '/v1/completions', wire: 'completions' },
  { path: '/v1/messages', wire: 'messages' },
  { path: '/v1/messages/count_tokens', wire: 'messages', operation: 'count-tokens' },
  { path: '/v1/responses', wire: 'responses' },
  { path: '/v1/responses/input_tokens', wire: 'responses', operation: 'count-tokens' },
  { path: '/v1/responses/compact', wire: 'responses', operation: 'compact' },
  { path: '/v1/embeddings', wire: 'embeddings' },
  { path: '/v1/moderations', wire: 'moderations' },
  { path: '/v1/audio/transcriptions', wire: 'transcriptions' },
  { path: '/v1/audio/translations', wire: 'translations' },
  { path: '/v1/audio/speech', wire: 'speech' },
  { path: '/v2/rerank', wire: 'cohere-rerank' },
  { path: '/v1/rerank', wire: 'rerank' },
  { path: '/v1/images/generations', wire: 'image-generations' },
  { path: '/v1/images/edits', wire: 'image-edits' },
  { path: '/v1/images/variations', wire: 'image-variations' },
  // Beside /v1, as at vLLM.
  { path: '/tokenize', wire: 'tokenize' },
  // Some clients leave out `models/` if the name of the model has a slash.
  ...['/v1/models/{model}', '/v1beta/models/{model}', '/v1/{model}', '/v1beta/{model}'].flatMap((model) => [
    { path: `${model}:generateContent`, wire: 'generate-content' },
    { path: `${model}:streamGenerateContent`, wire: 'generate-content', stream: true },
    { path: `${model}:countTokens`, wire: 'generate-content', operation: 'count-tokens' },
    { path: `${model}:embedContent`, wire: 'embed-content' },
    { path: `${model}:batchEmbedContents`, wire: 'embed-content' },
  ]),
  { path: '/v1beta/interactions', wire: 'interactions' },
  { path: '/v1/interactions', wire: 'interactions' },
  { path: '/v1/models', operation: 'models' },
  { path: '/v1/models/{model}', operation: 'models' },
  { path: '/v1beta/models', operation: 'models', wire: 'generate-content' },
  { path: '/v1beta/models/{model}', operation: 'models', wire: 'generate-content' },
] as const;

export const routeSchema = section(
  'A path that clients call.',
  {
    path: setting('The path. {model} stands for the id of a model, which can contain slashes.', {
      type: 'string',
      pattern: '^/[^\\s?#{}]*(\\{model\\}[^\\s?#{}]*)?$',
      examples: ['/v1/messages', '/v1/models/{model}'],
    }),
    wire: setting(
      'The wire of the route. For the operation models: ' +
        'the shape of the list for clients whose request does not show theirs (default: chat-completions).',
      { type: 'string', minLength: 1 },
    ),
    operation: setting('What the route does. Default: generate, or else the operation that the wire has.', {
      enum: [...operationNames, 'models'],
    }),
    stream: setting(
      'Whether responses are always streamed (true) or never (false), for wires that decide it by the path. ' +
        'Default: as the request specifies.',
      { type: 'boolean' },
    ),
    versions: setting(
      'Allowed values of the version header of the wire. Default: the versions that the wire supports.',
      {
        type: 'array',
        minItems: 1,
        items: { type: 'string', minLength: 1 },
      },
    ),
    losses: setting(
      'What to do when the translation of a request would lose something: ' +
        'allow (the default) reports the loss in the response, warn also logs it, reject responds with 400.',
      { enum: ['allow', 'warn', 'reject'] },
    ),
    vendorState: setting(
      'Whether requests can refer to objects stored at a provider (previous_response_id, file ids, caches, ' +
        'containers). owned (the default): to those that this gateway has seen created for the project of the key. ' +
        'allow: also to those that it does not know. refuse: to none, unless the key allows it.',
      { enum: ['allow', 'owned', 'refuse'] },
    ),
    costHeaders: setting(
      'on: responses show what they cost, in x-koine-cost and x-koine-usage. off (the default): they do not, ' +
        'unless their key sets on.',
      { enum: ['off', 'on'] },
    ),
    bodyLimit: setting(
      'The largest request body of the route, such as 25mb. ' +
        'Default: server.bodyLimit; for paths that take files, 100mb.',
      { $ref: '#/definitions/size' },
    ),
    hostedTools: hostedToolsSetting('Default of the policy: the setting of the model.'),
  } satisfies Record<keyof RouteConfig, JsonObject>,
  ['path'],
);
