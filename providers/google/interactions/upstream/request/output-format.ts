import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { type Lose, readList } from '../../../../../core/api/codec.ts';
import { writeSchema } from '../../../generate-content/schema-dialect.ts';

const encodeOutput = (output: OutputFormat, lose: Lose): JsonObject => {
  if (output.type === 'json') return { type: 'text', mime_type: 'application/json' };
  // The wire has no name for a format, and the model does not read it: nothing is lost.
  const { schema, description, strict, name: _name } = output;
  if (description !== undefined)
    lose('response_format.description', 'dropped', 'interactions describes a format only inside its schema');
  if (strict === false) lose('response_format.strict', 'approximated', 'interactions always enforces the schema');
  return { type: 'text', mime_type: 'application/json', schema: writeSchema(schema) };
};

/**
 * `response_format`: https://ai.google.dev/gemini-api/docs/interactions/structured-output
 * @param kept formats that only this wire has
 */
export function encodeOutputFormat(output: OutputFormat | undefined, kept: unknown, lose: Lose): JsonObject {
  const formats = [...(output === undefined ? [] : [encodeOutput(output, lose)]), ...readList(kept)];
  if (formats.length === 0) return {};
  return { response_format: formats.length === 1 ? formats[0] : formats };
}
