import { defineCodec } from '../../../core/api/codec.ts';
import { encodeRequest } from './request/request.ts';
import { decodeError } from './response/error.ts';
import { decodeResponse } from './response/response.ts';
import { decodeStream } from './response/stream.ts';
import { WIRE } from './shape.ts';
import { limits, traits } from './traits.ts';
import { usageMembers } from './usage.ts';

/**
 * The codec of Converse and ConverseStream, for upstreams only.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const converseCodec = defineCodec<'generate'>({
  operation: 'generate',
  wire: WIRE,
  traits,
  upstream: { limits, usageMembers, encodeRequest, decodeResponse, decodeStream, decodeError },
});
