import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { isObject, type Members, readMembers, readText } from '../../../../../core/api/codec.ts';
import { readJsonSchema } from '../../../generate-content/schema-dialect.ts';

interface DecodedOutput {
  readonly output?: OutputFormat;
  /** Formats that only this wire has (an image, audio). */
  readonly extra: JsonObject;
}

const JSON_TYPE = 'application/json';
/** The default. */
const TEXT_TYPE = 'text/plain';

/** Types of formats. Anything else is a schema, as the first version of the wire had it. */
const formatTypes: ReadonlySet<string> = new Set(['text', 'audio', 'image', 'video']);

const isSchema = (format: unknown): format is JsonObject =>
  isObject(format) && !formatTypes.has(readText(format['type'])) && Object.keys(format).length > 0;

const readSchema = (schema: Readonly<JsonObject>): OutputFormat => ({ type: 'schema', schema: readJsonSchema(schema) });

const decodeFormat = (value: unknown, path: string): DecodedOutput => {
  if (isSchema(value)) return { output: readSchema(value), extra: {} };
  const format = readMembers(value, path);
  if (format.string('type') !== 'text') return { extra: isObject(value) ? value : {} };
  const schema = format.rawObject('schema');
  const type = format.string('mime_type') ?? (schema === undefined ? TEXT_TYPE : JSON_TYPE);
  const rest = format.unread();
  const unknown = Object.keys(rest).length === 0 ? {} : { type: 'text', ...rest };
  if (type === JSON_TYPE)
    return { output: schema === undefined ? { type: 'json' } : readSchema(schema), extra: unknown };
  return { extra: type === TEXT_TYPE ? unknown : { ...(isObject(value) ? value : {}) } };
};

/**
 * `response_format`, one or several, and the older `response_mime_type`.
 * https://ai.google.dev/gemini-api/docs/interactions/structured-output
 */
export function decodeOutput(body: Members): DecodedOutput {
  const found = body.value('response_format');
  const mimeType = body.string('response_mime_type');
  const listed = found === undefined ? [] : isObject(found) ? [found] : (body.array('response_format') ?? []);
  const formats = listed.map((format, index) =>
    decodeFormat(format, isObject(found) ? 'response_format' : `response_format[${index}]`),
  );
  const output =
    formats.find((format) => format.output !== undefined)?.output ??
    (mimeType === JSON_TYPE ? ({ type: 'json' } as const) : undefined);
  const others = formats.map(({ extra }) => extra).filter((extra) => Object.keys(extra).length > 0);
  return {
    ...(output === undefined ? {} : { output }),
    extra: {
      ...(others.length === 0 ? {} : { response_format: others }),
      ...(mimeType === undefined || mimeType === JSON_TYPE || mimeType === TEXT_TYPE
        ? {}
        : { response_mime_type: mimeType }),
    },
  };
}
