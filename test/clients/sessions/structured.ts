import { sampleSchema } from '../../../providers/simulator/answer/sample.ts';
import type { Json, Wire } from '../../matrix/wires.ts';

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, member) => (inner as Json | undefined)?.[member], value);

const lower = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === 'type' && typeof value === 'string' ? value.toLowerCase() : value,
  );

const schemas: Readonly<Record<Wire, (body: Json) => unknown>> = {
  chat: (body) => at(body, 'response_format', 'json_schema', 'schema'),
  messages: (body) => at(body, 'output_config', 'format', 'schema'),
  responses: (body) => at(body, 'text', 'format', 'schema'),
  google: ({ generationConfig: config }) => at(config, 'responseJsonSchema') ?? at(config, 'responseSchema'),
};

/** A JSON value, if the request wants one: small requests of agents read their response by a schema. */
export const answerSchema = (wire: Wire, body: Json): string | undefined => {
  const schema = schemas[wire](body);
  return schema === undefined ? undefined : JSON.stringify(sampleSchema(lower(schema)));
};
