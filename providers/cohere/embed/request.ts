import type { EmbedRequest, Headers, JsonObject } from '../../../core/api/index.ts';
import { requireTexts } from '../../../core/api/internal.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

/** What vectors are for. Clients of other wires can name it in `input_type`, as with other gateways. */
const types: ReadonlySet<unknown> = new Set(['search_document', 'search_query', 'classification', 'clustering']);
const DEFAULT_TYPE = 'search_document';

/** A text that is too long is an error (`NONE`), as on the wires of clients. By default its end would be cut off. */
export function encodeRequest(
  request: EmbedRequest,
  { model }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
  const { dimensions, extra } = request;
  const { input_type: given, ...others } = extra.members;
  const isKnown = types.has(given);
  if (!isKnown) lose('input_type', 'injected', `'${DEFAULT_TYPE}': the vendor requires the member`);
  const members = isKnown ? others : extra.members;
  return {
    headers: {},
    body: omitUndefined({
      model,
      texts: requireTexts(request),
      output_dimension: dimensions,
      embedding_types: ['float'],
      truncate: 'NONE',
      ...writeExtraMembers({ ...extra, members }, WIRE, lose),
      input_type: isKnown ? given : DEFAULT_TYPE,
    }),
  };
}
