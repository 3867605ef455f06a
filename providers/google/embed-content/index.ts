import { defineCodec, defineSpelling } from '../../../core/api/codec.ts';
import { encodeError } from '../generate-content/client/response/error.ts';
import { decodeError } from '../generate-content/upstream/response/error.ts';
import { usageMembers } from '../generate-content/usage.ts';
import { references } from '../generate-content/client/request/references.ts';
import { decodeRequest } from './client/request.ts';
import { encodeResponse } from './client/response.ts';
import { WIRE } from './shape.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request.ts';
import { decodeResponse } from './upstream/response.ts';
import { textMembers } from '../text-members.ts';

/**
 * Members that limit, price or route a request. The vendor accepts two spellings of each:
 * https://protobuf.dev/programming-guides/json/
 */
const spelling = defineSpelling({ model: true, content: true, requests: true, outputDimensionality: true }, 'ignored');

/** The codec of `embed-content`: https://ai.google.dev/api/embeddings. Its errors are those of generate-content. */
export const embedContentCodec = defineCodec<'embed'>({
  operation: 'embed',
  wire: WIRE,
  client: { decodeRequest, encodeResponse, encodeError, spelling, textMembers, references },
  upstream: { limits: {}, usageMembers, encodeRequest, decodeResponse, decodeError, native },
});
