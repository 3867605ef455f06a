import { createApiKeySchemas, defineProvider, readApiKeys, type ApiKeySettings, type Endpoint } from 'koine-gateway';
import { models, prices } from './models.ts';

interface Options extends ApiKeySettings {
  readonly baseUrl: string;
}

/** What the vendor serves, in wires of OpenAI: the gateway has their codecs. Leave out what yours does not have. */
const served = [
  { operation: 'generate', wire: 'chat-completions', path: 'chat/completions' },
  { operation: 'embed', wire: 'embeddings', path: 'embeddings' },
  { operation: 'transcribe', wire: 'transcriptions', path: 'audio/transcriptions' },
  { operation: 'speak', wire: 'speech', path: 'audio/speech' },
] as const;

/** A vendor with an API like OpenAI's: its address, its keys and its models. */
export default defineProvider<Options>({
  kind: 'provider',
  apiVersion: 1,
  name: 'acme',
  schema: {
    type: 'object',
    properties: {
      ...createApiKeySchemas('The API key, sent as a bearer token.'),
      baseUrl: {
        description: 'The base URL, as in the SDKs of OpenAI.',
        type: 'string',
        pattern: '^https?://',
        default: 'https://api.acme.example/v1',
      },
    },
    additionalProperties: false,
  },
  models,
  prices,
  create: (options, services) => {
    const { credentials, prepare } = readApiKeys(options, services);
    const byCredential = prepare((secret) => ({
      'content-type': 'application/json',
      'authorization': `Bearer ${secret}`,
    }));
    const { origin, pathname } = new URL(options.baseUrl);
    const base = pathname.replace(/\/+$/, '');
    const endpoint: Endpoint = {
      origin: { provider: 'acme', family: 'acme' },
      wires: served.map(({ operation, wire, path }) => ({
        operation,
        wire,
        // Called once per request. It can be async, and wait for a token or sign the body.
        buildRequest: ({ body, headers, credential }) => ({
          origin,
          path: `${base}/${path}`,
          headers: { ...headers, ...byCredential.get(credential) },
          body,
        }),
      })),
    };
    return { credentials, endpoint: () => endpoint };
  },
});
