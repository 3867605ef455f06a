import type { FileBody, JsonObject, TranscribeRequest, TranscribeResponse } from '../../../../core/api/index.ts';
import { PLAIN_TEXT } from '../shape.ts';

/** https://platform.openai.com/docs/api-reference/audio/json-object. A plain text ends with a line end. */
export const encodeResponse = (
  { text }: TranscribeResponse,
  { request: { format } }: { readonly request: TranscribeRequest },
): JsonObject | FileBody =>
  format === 'text' ? { contentType: PLAIN_TEXT, bytes: Buffer.from(`${text}\n`) } : { text };
