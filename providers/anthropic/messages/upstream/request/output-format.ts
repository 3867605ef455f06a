import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';

/** The format of `output_config`: https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
export function encodeOutputFormat(output: OutputFormat, lose: Lose): JsonObject | undefined {
  if (output.type === 'schema') {
    // The vendor refuses a name, and the model does not read it: nothing is lost.
    const { schema, description, strict, name: _name } = output;
    if (description !== undefined)
      lose('response_format.description', 'dropped', 'messages describes a format only inside its schema');
    if (strict === false) lose('response_format.strict', 'approximated', 'messages always enforces the schema');
    return { type: 'json_schema', schema };
  }
  lose('response_format', 'dropped', 'messages has no free-form JSON');
  return undefined;
}
