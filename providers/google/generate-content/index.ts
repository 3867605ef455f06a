import { defineCodec } from '../../../core/index.ts';
import { encodeError } from './client/error.ts';
import { decodeRequest } from './client/request.ts';
import { encodeResponse } from './client/response.ts';
import { encodeStream } from './client/stream.ts';
import { modelList } from './models.ts';
import { WIRE } from './shape.ts';

/** Google's generateContent and streamGenerateContent: https://ai.google.dev/api/generate-content */
export const generateContentCodec = defineCodec<'generate'>({
  operation: 'generate',
  wire: WIRE,
  client: { decodeRequest, encodeResponse, encodeStream, encodeError, models: modelList },
});
