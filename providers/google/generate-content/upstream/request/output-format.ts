import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';
import { writeSchema } from '../../schema-dialect.ts';

/** https://ai.google.dev/gemini-api/docs/structured-output */
export function encodeOutputFormat(output: OutputFormat | undefined, lose: Lose): JsonObject {
  if (output === undefined) return {};
  if (output.type === 'json') return { responseMimeType: 'application/json' };
  // The wire has no name for a format, and the model does not read it: nothing is lost.
  const { schema, description, strict, name: _name } = output;
  if (description !== undefined)
    lose('response_format.description', 'dropped', 'generate-content describes a format only inside its schema');
  if (strict === false) lose('response_format.strict', 'approximated', 'generate-content always enforces the schema');
  return { responseMimeType: 'application/json', responseJsonSchema: writeSchema(schema) };
}
