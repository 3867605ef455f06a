import { GatewayError, type EmbedRequest, type Headers, type JsonObject } from '../../../core/api/index.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';

/** The wire that Ollama calls its native API of embeddings. */
export const WIRE = 'ollama-embed';

const textOf = (input: EmbedRequest['inputs'][number]): string => {
  if (typeof input === 'string') return input;
  throw new GatewayError(
    'unsupported_parameter',
    "'input' holds token ids, which mean nothing to this model. Send the text itself.",
    { param: 'input' },
  );
};

/** A text that is too long is an error, as on the wires of clients: by default the server would cut it off. */
export const encodeRequest = (
  { inputs, dimensions, extra }: EmbedRequest,
  { model }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } => ({
  headers: {},
  body: omitUndefined({
    model,
    input: inputs.map(textOf),
    dimensions,
    truncate: false,
    ...writeExtraMembers(extra, WIRE, lose),
  }),
});
