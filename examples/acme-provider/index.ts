import { createApiKeySchemas, defineProvider, readApiKeys, type ApiKeySettings, type Endpoint } from 'koine-gateway';
import { models, prices } from './models.ts';

interface Options extends ApiKeySettings {
  readonly baseUrl: string;
}

/** A vendor with OpenAI's chat completions: its address, its keys and its models. The gateway has the codec. */
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
    const path = `${pathname.replace(/\/+$/, '')}/chat/completions`;
    const endpoint: Endpoint = {
      origin: { provider: 'acme', family: 'acme' },
      wires: [
        {
          operation: 'generate',
          wire: 'chat-completions',
          // Called once per request. It can be async, and wait for a token or sign the body.
          buildRequest: ({ body, headers, credential }) => ({
            origin,
            path,
            headers: { ...headers, ...byCredential.get(credential) },
            body,
          }),
        },
      ],
    };
    return { credentials, endpoint: () => endpoint };
  },
});
