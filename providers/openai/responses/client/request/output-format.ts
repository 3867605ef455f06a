import type { JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { lookUp, type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';

/** On this wire the schema is flat, next to the type. */
const decodeSchema = (format: Members): OutputFormat => {
  const schema = format.rawObject('schema');
  if (schema === undefined) throw invalidMember(format.at('schema'), 'is required: the JSON Schema of the answer.');
  return omitUndefined({
    type: 'schema',
    name: format.string('name'),
    description: format.string('description'),
    schema,
    strict: format.boolean('strict'),
  });
};

/** `text` is the default and needs no output format. */
const formats: Readonly<Record<string, (format: Members) => OutputFormat | undefined>> = {
  text: () => undefined,
  json_object: () => ({ type: 'json' }),
  json_schema: decodeSchema,
};

interface DecodedText {
  readonly output?: OutputFormat;
  readonly verbosity?: string;
  /** The request sets a format, which can be plain text. */
  readonly hasFormat: boolean;
  /** `text` with the members that have no canonical member, such as the format of one vendor. */
  readonly extra: JsonObject;
}

const wrap = (name: string, members: JsonObject): JsonObject =>
  Object.keys(members).length === 0 ? {} : { [name]: members };

/** `text`: output format and verbosity. */
export function decodeText(body: Members): DecodedText {
  const text = body.object('text');
  if (text === undefined) return { hasFormat: false, extra: {} };
  const verbosity = text.string('verbosity');
  const format = text.object('format');
  const type = format?.requiredString('type');
  const decode = type === undefined ? undefined : lookUp(formats, type);
  const output = format === undefined ? undefined : decode?.(format);
  const unread = format === undefined ? {} : decode === undefined ? { type, ...format.unread() } : format.unread();
  const extra = wrap('text', { ...text.unread(), ...wrap('format', unread) });
  return omitUndefined({ output, verbosity, hasFormat: format !== undefined, extra });
}
