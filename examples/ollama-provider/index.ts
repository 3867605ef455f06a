import { defineProvider, type Endpoint } from 'koine-gateway';
import { createEventDecoder, defineCodec } from 'koine-gateway/codec';
import { encodeRequest } from './request.ts';
import { decodeError, decodeResponse, StreamReader } from './response.ts';

interface Options {
  readonly baseUrl: string;
}

/** The wire that Ollama calls its native API: https://github.com/ollama/ollama/blob/main/docs/api.md */
const WIRE = 'ollama-example-chat';

/** Upstream only: clients keep their wire, and every request is translated. */
export const codec = defineCodec<'generate'>({
  operation: 'generate',
  wire: WIRE,
  traits: { fieldNames: { maxTokens: 'num_predict', output: 'format', reasoning: 'think' } },
  upstream: {
    limits: { choices: false, customTools: false, mediaUrls: false, documents: false, audio: false, video: false },
    encodeRequest,
    decodeResponse,
    decodeStream: (context) => createEventDecoder((events) => new StreamReader(context, events)),
    decodeError,
  },
});

export default defineProvider<Options>({
  kind: 'provider',
  apiVersion: 1,
  name: 'ollama-example',
  schema: {
    type: 'object',
    properties: { baseUrl: { type: 'string', default: 'http://127.0.0.1:11434' } },
    additionalProperties: false,
  },
  codecs: [codec],
  create: ({ baseUrl }) => {
    const { origin } = new URL(baseUrl);
    const endpoint: Endpoint = {
      origin: { provider: 'ollama-example', family: 'ollama-example' },
      // A closed connection ends the generation, and the server is one's own.
      cancelEndsCharges: true,
      wires: [
        {
          operation: 'generate',
          wire: WIRE,
          framing: 'ndjson',
          buildRequest: ({ body }) => ({
            origin,
            path: '/api/chat',
            headers: { 'content-type': 'application/json' },
            body,
          }),
        },
      ],
    };
    return { credentials: [{ id: 'none' }], endpoint: () => endpoint };
  },
});
