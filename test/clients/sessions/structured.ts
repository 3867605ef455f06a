import { sampleSchema } from '../../../providers/simulator/answer/sample.ts';
import type { Json, Wire } from '../../matrix/wires.ts';
import { listOf } from './conversation.ts';

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, member) => (inner as Json | undefined)?.[member], value);

const lower = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === 'type' && typeof value === 'string' ? value.toLowerCase() : value,
  );

/** Where a vendor takes no schema, the gateway writes it at the end of a message. */
const schemaInText = ({ response_format: format, messages }: Json): unknown => {
  if (at(format, 'type') !== 'json_object') return undefined;
  const texts = listOf(messages).map(({ content }) => (typeof content === 'string' ? content : ''));
  const [, schema] = texts.map((text) => text.split('JSON Schema:\n')).find(({ length }) => length > 1) ?? [];
  return schema === undefined ? undefined : (JSON.parse(schema) as unknown);
};

const schemas: Readonly<Record<Wire, (body: Json) => unknown>> = {
  chat: (body) => at(body, 'response_format', 'json_schema', 'schema') ?? schemaInText(body),
  messages: (body) => at(body, 'output_config', 'format', 'schema'),
  responses: (body) => at(body, 'text', 'format', 'schema'),
  google: ({ generationConfig: config }) => at(config, 'responseJsonSchema') ?? at(config, 'responseSchema'),
};

/** A JSON value, if the request wants one: small requests of agents read their response by a schema. */
export const answerSchema = (wire: Wire, body: Json): string | undefined => {
  const schema = schemas[wire](body);
  return schema === undefined ? undefined : JSON.stringify(sampleSchema(lower(schema)));
};
