import type { JsonObject, SpeakRequest } from '../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile, writeExtraMembers } from '../../../../core/api/codec.ts';

export const encodeRequest = (
  { text, voice, instructions, format, speed, stream, extra }: SpeakRequest,
  { model, wire }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Record<string, string> } => ({
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
