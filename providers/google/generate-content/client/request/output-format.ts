import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { readJsonSchema, readSchema } from '../../schema-dialect.ts';
import { readItems } from './wire-members.ts';

interface DecodedOutput {
  readonly output?: OutputFormat;
  /** A format that only this wire has (`text/x.enum`, an image), with its schema. */
  readonly extra: JsonObject;
}

const JSON_TYPE = 'application/json';
/** The default. */
const TEXT_TYPE = 'text/plain';

/** In `responseFormat` a type can also be the name of an enum: `APPLICATION_JSON`. */
const readType = (type: string | undefined): string | undefined =>
  type !== undefined && /^[A-Z]+_[A-Z]+$/.test(type) ? type.toLowerCase().replace('_', '/') : type;

/** `undefined`: the format is not one that other wires have. */
const chooseOutput = (
  type: string | undefined,
  schema: Readonly<JsonObject> | undefined,
): OutputFormat | 'text' | undefined => {
  const isJson = type === undefined ? schema !== undefined : type.toLowerCase() === JSON_TYPE;
  if (isJson) return schema === undefined ? { type: 'json' } : { type: 'schema', schema };
  return type === undefined || type.toLowerCase() === TEXT_TYPE ? 'text' : undefined;
};

/**
 * `responseMimeType` with a schema in the wire's own dialect or in JSON Schema; the SDK sends one of them. A schema
 * without a media type requests JSON as well.
 */
const decodeMimeType = (config: Members): DecodedOutput => {
  const type = config.string('responseMimeType');
  const dialect = config.rawObject('responseSchema');
  const jsonSchema = config.rawObject('responseJsonSchema');
  const schema = jsonSchema === undefined ? dialect && readSchema(dialect) : readJsonSchema(jsonSchema);
  const output = chooseOutput(type, schema);
  if (output === 'text') return { extra: {} };
  if (output !== undefined) return { output, extra: {} };
  return {
    extra: omitUndefined({
      responseMimeType: type,
      responseSchema: dialect,
      responseJsonSchema: dialect === undefined ? schema : undefined,
    }),
  };
};

/** The format of text, and the members of the entry that only this wire has. */
const decodeFormat = (entry: Members): DecodedOutput => {
  const text = entry.object('text');
  if (text === undefined) return { extra: entry.unread() };
  const type = readType(text.string('mimeType'));
  const schema = text.rawObject('schema');
  const output = chooseOutput(type, schema && readJsonSchema(schema));
  const unknown = output === undefined ? omitUndefined({ mimeType: type, schema, ...text.unread() }) : text.unread();
  const extra = { ...entry.unread(), ...(Object.keys(unknown).length === 0 ? {} : { text: unknown }) };
  return output === undefined || output === 'text' ? { extra } : { output, extra };
};

/** A list with one format for each kind of output. Formats of images, audio and video exist only on this wire. */
const decodeFormats = (config: Members): DecodedOutput => {
  const formats = readItems(config, 'responseFormat').map(decodeFormat);
  const output = formats.find((format) => format.output !== undefined)?.output;
  const others = formats.map(({ extra }) => extra).filter((extra) => Object.keys(extra).length > 0);
  return omitUndefined({ output, extra: others.length === 0 ? {} : { responseFormat: others } });
};

/**
 * The format of the output. A JSON format in `responseFormat` wins over the older `responseMimeType`.
 * https://ai.google.dev/gemini-api/docs/structured-output
 */
export function decodeOutput(config: Members): DecodedOutput {
  if (!config.has('responseFormat')) return decodeMimeType(config);
  const { output, extra } = decodeFormats(config);
  if (output !== undefined) return { output, extra };
  const older = decodeMimeType(config);
  return { ...older, extra: { ...older.extra, ...extra } };
}
