import { defineCodec } from '../../../core/api/codec.ts';
import { encodeError } from '../chat-completions/client/response/error.ts';
import { encodeLimits } from '../chat-completions/client/response/limits.ts';
import { decodeError } from '../chat-completions/upstream/response/error.ts';
import { spelling, textMembers } from './client/member-names.ts';
import { createDecodeRequest } from './client/request.ts';
import { encodeAsStream, encodeResponse, encodeTranslation } from './client/response.ts';
import { encodeStream } from './client/stream.ts';
import { textFormats, TRANSCRIPTIONS, TRANSLATIONS } from './shape.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request.ts';
import { decodeResponse } from './upstream/response.ts';
import { usageMembers } from './usage.ts';

const form = { files: { file: 'audio' } } as const;
const client = { encodeError, encodeLimits, spelling, textMembers, form };
const upstream = {
  limits: {},
  takesForms: true,
  usageMembers,
  encodeRequest,
  decodeResponse,
  decodeError,
  native,
} as const;
const formats = ['json', 'verbose_json', ...textFormats];

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptionsCodec = defineCodec<'transcribe'>({
  operation: 'transcribe',
  wire: TRANSCRIPTIONS,
  client: {
    ...client,
    decodeRequest: createDecodeRequest({
      wire: TRANSCRIPTIONS,
      formats: [...formats, 'diarized_json'],
      streams: true,
    }),
    encodeResponse,
    encodeStream,
    encodeAsStream,
  },
  upstream,
});

/** https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translationsCodec = defineCodec<'translate'>({
  operation: 'translate',
  wire: TRANSLATIONS,
  client: {
    ...client,
    decodeRequest: createDecodeRequest({ wire: TRANSLATIONS, formats, streams: false }),
    encodeResponse: encodeTranslation,
  },
  upstream,
});
