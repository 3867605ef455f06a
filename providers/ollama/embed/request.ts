import type { EmbedRequest, Headers, JsonObject } from '../../../core/api/index.ts';
import { requireTexts } from '../../../core/api/internal.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';

/** The wire that Ollama calls its native API of embeddings. */
export const WIRE = 'ollama-embed';

/** A text that is too long is an error, as on the wires of clients: by default the server would cut it off. */
export const encodeRequest = (
  request: EmbedRequest,
  { model }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } => ({
  headers: {},
  body: omitUndefined({
    model,
    input: requireTexts(request),
    dimensions: request.dimensions,
    truncate: false,
    ...writeExtraMembers(request.extra, WIRE, lose),
  }),
});
