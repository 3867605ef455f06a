import type { EmbedRequest, JsonObject } from '../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile, writeExtraMembers } from '../../../../core/api/codec.ts';

import { WIRE } from '../shape.ts';

/** `encoding_format` is written for base64 only: some servers refuse the member, and all of them send floats. */
export const encodeRequest = (
  { inputs, dimensions, encoding, extra }: EmbedRequest,
  { model }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Record<string, string> } => ({
  body: omitUndefined({
    model,
    input: inputs,
    ...writeExtraMembers(extra, WIRE, lose),
    dimensions,
    encoding_format: encoding === 'base64' ? encoding : undefined,
  }),
  headers: {},
});
