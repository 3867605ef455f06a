import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../core/api/codec.ts';

/** OpenAI requires a name for every schema. */
const SCHEMA_NAME = 'response';

/** `response_format` */
export function encodeOutput(output: OutputFormat): JsonObject {
  if (output.type === 'json') return { response_format: { type: 'json_object' } };
  const { name = SCHEMA_NAME, description, schema, strict } = output;
  return {
    response_format: { type: 'json_schema', json_schema: omitUndefined({ name, description, schema, strict }) },
  };
}
