import { omitUndefined, writeExtraMembers, type UpstreamSide } from '../../../../core/api/codec.ts';

export const encodeRequest: UpstreamSide<'speak'>['encodeRequest'] = (
  { text, voice, instructions, format, speed, stream, extra },
  { model, wire },
  lose,
) => ({
  body: omitUndefined({
    model,
    input: text,
    voice,
    instructions,
    response_format: format,
    speed,
    stream_format: stream ? 'sse' : undefined,
    ...writeExtraMembers(extra, wire, lose),
  }),
  headers: {},
});
