import {
  GatewayError,
  type EmbedRequest,
  type EmbedResponse,
  type Headers,
  type JsonObject,
} from '../../../core/api/index.ts';
import {
  defineCodec,
  defineKnownMembers,
  isObject,
  malformedBody,
  omitUndefined,
  readText,
  writeExtraMembers,
  type Lose,
  type TargetProfile,
} from '../../../core/api/codec.ts';
import { readUsage } from '../chat/usage.ts';
import { decodeError } from '../error.ts';
import { readVectors } from './vectors.ts';

const WIRE = 'ollama-embed';

const textOf = (input: EmbedRequest['inputs'][number]): string => {
  if (typeof input === 'string') return input;
  throw new GatewayError(
    'unsupported_parameter',
    "'input' holds token ids, which mean nothing to this model. Send the text itself.",
    { param: 'input' },
  );
};

/** A text that is too long is an error, as on the wires of clients: by default the server would cut it off. */
const encodeRequest = (
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

function decodeResponse(body: unknown): EmbedResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  return omitUndefined({
    model: readText(body['model']) || undefined,
    vectors: readVectors(body['embeddings']),
    usage: readUsage(body),
  });
}

/** `POST /api/embed`: https://docs.ollama.com/api/embed. Upstream only. */
export const embedCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: WIRE,
  upstream: {
    limits: {},
    usageMembers: defineKnownMembers({ prompt_eval_count: true }),
    encodeRequest,
    decodeResponse,
    decodeError: (reply) => decodeError(WIRE, reply),
  },
});
