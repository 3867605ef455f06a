import { omitUndefined, writeExtraMembers, type UpstreamSide } from '../../../../core/api/codec.ts';

import { WIRE } from '../shape.ts';

/** `encoding_format` is written for base64 only: some servers refuse the member, and all of them send floats. */
export const encodeRequest: UpstreamSide<'embed'>['encodeRequest'] = (
  { inputs, dimensions, encoding, extra },
  { model },
  lose,
) => ({
  body: omitUndefined({
    model,
    input: inputs,
    ...writeExtraMembers(extra, WIRE, lose),
    dimensions,
    encoding_format: encoding === 'base64' ? encoding : undefined,
  }),
  headers: {},
});
