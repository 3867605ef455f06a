import type { Wire } from '../../matrix/wires.ts';
import type { LoopRequest } from './loop.ts';
import type { Json } from './rule.ts';

/** A schema for a format that no vendor takes as it is. */
const format: Json = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, pattern: '^(?=[A-Z])', not: { const: 'Here' } },
    days: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 7, uniqueItems: true },
    note: { $ref: '#/$defs/note', description: 'A note.' },
  },
  required: ['city'],
  $defs: { note: { type: 'string' } },
};

/** A request for JSON of a schema. */
export function formatRequest(client: Wire): LoopRequest {
  const text = 'Weather in Oslo?';
  const requests: Readonly<Record<Wire, Json>> = {
    chat: {
      messages: [{ role: 'user', content: text }],
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema: format } },
    },
    messages: {
      max_tokens: 4_000,
      messages: [{ role: 'user', content: text }],
      output_config: { format: { type: 'json_schema', schema: { ...format, additionalProperties: false } } },
    },
    responses: {
      input: text,
      store: false,
      text: { format: { type: 'json_schema', name: 'weather', schema: format } },
    },
    google: {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: format },
    },
  };
  return requests[client];
}
