import type { OutputFormat } from '../../../../../core/api/index.ts';
import { lookUp, type Members, omitUndefined, readMembers } from '../../../../../core/api/codec.ts';
import { requiredObject } from '../../../request-members.ts';

const decodeSchema = (format: Members): OutputFormat => {
  const schema = requiredObject(format, 'json_schema');
  return omitUndefined({
    type: 'schema',
    name: schema.string('name'),
    description: schema.string('description'),
    schema: schema.rawObject('schema') ?? {},
    strict: schema.boolean('strict'),
  });
};

/** `text` is the default and needs no output format. A type of one vendor stays unread, and so in `extra`. */
export function decodeOutput(body: Members, raw: unknown): OutputFormat | undefined {
  const format = readMembers(raw, 'response_format');
  const decoders: Readonly<Record<string, () => OutputFormat | undefined>> = {
    text: () => undefined,
    json_object: () => ({ type: 'json' }),
    json_schema: () => decodeSchema(format),
  };
  const decode = lookUp(decoders, format.requiredString('type'));
  if (decode === undefined) return undefined;
  body.value('response_format');
  return decode();
}
