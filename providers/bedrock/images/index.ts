import { defineCodec } from '../../../core/api/codec.ts';
import { decodeError } from '../converse/response/error.ts';
import { encodeRequest } from './request.ts';
import { decodeResponse } from './response.ts';
import { WIRE } from './shape.ts';

/**
 * InvokeModel of models that make images, for upstreams only. Each maker has a body of its own, named by the model:
 * https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-diffusion-stable-image-core-text-image-request-response.html
 */
export const imagesCodec = defineCodec<'image'>({
  operation: 'image',
  wire: WIRE,
  upstream: { limits: {}, encodeRequest, decodeResponse, decodeError },
});
