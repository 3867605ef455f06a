import { defineCodec } from '../../../core/api/codec.ts';
import { encodeError } from '../chat-completions/client/response/error.ts';
import { encodeLimits } from '../chat-completions/client/response/limits.ts';
import { decodeError } from '../chat-completions/upstream/response/error.ts';
import { references, spelling, textMembers } from './client/member-names.ts';
import { createRequestDecoder } from './client/request.ts';
import { encodeResponse } from './client/response.ts';
import { createStreamWriter, encodeStream } from './client/stream.ts';
import { EDITS_WIRE, forms, VARIATIONS_WIRE, WIRE, type ImagesWire } from './shape.ts';
import { native } from './upstream/native.ts';
import { createRequestEncoder } from './upstream/request.ts';
import { decodeResponse } from './upstream/response.ts';
import { usageMembers } from './usage.ts';

const createCodec = (wire: ImagesWire) => {
  const form = forms[wire];
  return defineCodec<'image'>({
    operation: 'image',
    wire,
    client: {
      decodeRequest: createRequestDecoder(wire),
      encodeResponse,
      ...(wire === VARIATIONS_WIRE ? {} : { encodeStream, encodeAsStream: createStreamWriter(wire) }),
      encodeError,
      encodeLimits,
      spelling,
      textMembers,
      references,
      ...(form && { form }),
    },
    upstream: {
      limits: {},
      ...(form && { takesForms: true as const }),
      usageMembers,
      encodeRequest: createRequestEncoder(wire),
      decodeResponse,
      decodeError,
      native,
    },
  });
};

/** OpenAI's Images API. Errors and limit headers are the same as on chat completions. */
export const imagesCodec = createCodec(WIRE);
/** The same with images to edit, as JSON or as a form. */
export const imageEditsCodec = createCodec(EDITS_WIRE);
/** The same with an image and no prompt, as a form. */
export const imageVariationsCodec = createCodec(VARIATIONS_WIRE);
