import type { TranscribeRequest } from '../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile, writeExtraMembers } from '../../../../core/api/codec.ts';
import { unsupported } from '../../request-members.ts';
import { textFormats } from '../shape.ts';

/**
 * The fields of a form that a plugin has changed. Its file goes with the form of the client.
 * @throws GatewayError `unsupported_parameter` that names the field
 */
export function encodeRequest(
  { stream, format, extra }: TranscribeRequest,
  { model, wire }: TargetProfile,
  lose: Lose,
) {
  if (stream || (format !== undefined && textFormats.includes(format)))
    throw unsupported(
      stream ? 'stream' : 'response_format',
      'A plugin changes this request, which then has JSON only.',
    );
  return {
    body: omitUndefined({ model, response_format: format, ...writeExtraMembers(extra, wire, lose) }),
    headers: {},
  };
}
