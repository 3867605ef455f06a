import type { GenerateRequest, JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { omitUndefined, readObject } from '../../../../../core/api/codec.ts';
import { mergeMembers } from './merge-members.ts';

/** OpenAI requires a name for every schema. */
const SCHEMA_NAME = 'response';
const encodeOutput = (output: OutputFormat): JsonObject => {
  if (output.type === 'json') return { type: 'json_object' };
  const { name = SCHEMA_NAME, description, schema, strict } = output;
  return omitUndefined({ type: 'json_schema', name, description, schema, strict });
};

/** `text`: output format and verbosity, merged with the extra members of the client's own `text`. */
export function encodeText({ output, verbosity }: GenerateRequest, extra: Readonly<JsonObject>): JsonObject {
  const own = readObject(extra['text']);
  const format = output === undefined ? {} : { format: { ...encodeOutput(output), ...readObject(own['format']) } };
  return mergeMembers('text', own, format, omitUndefined({ verbosity }));
}
