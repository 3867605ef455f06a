import { invalidRequest, type OutputFormat } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';

/**
 * The format of `output_config`, or of the older member `output_format`. This gateway adds a `name`, which targets of
 * other wires require.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function decodeOutputFormat(format: Members): OutputFormat {
  if (format.oneOf('type', ['json_schema']) === undefined)
    throw invalidRequest(format.at('type'), `'${format.at('type')}' is required.`);
  const schema = format.rawObject('schema');
  if (schema === undefined) throw invalidRequest(format.at('schema'), `'${format.at('schema')}' is required.`);
  return omitUndefined({ type: 'schema' as const, schema, name: format.string('name') });
}
