import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import type { Members } from '../../../../../core/api/codec.ts';
import { readJsonSchema, readSchema } from '../../schema-dialect.ts';

export interface DecodedOutput {
  readonly output?: OutputFormat;
  /** A format that only this wire has (`text/x.enum`), with its schema. */
  readonly extra: JsonObject;
}

const JSON_TYPE = 'application/json';
/** The default. */
const TEXT_TYPE = 'text/plain';

/**
 * A schema is in the wire's own dialect or in JSON Schema; the SDK sends one of them. A schema without a media type
 * requests JSON as well.
 * https://ai.google.dev/gemini-api/docs/structured-output
 */
export function decodeOutput(config: Members | undefined): DecodedOutput {
  if (config === undefined) return { extra: {} };
  const type = config.string('responseMimeType');
  const dialect = config.rawObject('responseSchema');
  const jsonSchema = config.rawObject('responseJsonSchema');
  const dialectSchema = dialect === undefined ? undefined : readSchema(dialect);
  const schema = jsonSchema === undefined ? dialectSchema : readJsonSchema(jsonSchema);
  const isJson = type === undefined ? schema !== undefined : type.toLowerCase() === JSON_TYPE;
  if (isJson) return { output: schema === undefined ? { type: 'json' } : { type: 'schema', schema }, extra: {} };
  if (type === undefined || type === TEXT_TYPE) return { extra: {} };
  return {
    extra: {
      responseMimeType: type,
      ...(dialect === undefined
        ? schema === undefined
          ? {}
          : { responseJsonSchema: schema }
        : { responseSchema: dialect }),
    },
  };
}
