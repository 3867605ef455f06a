import type { FileBody, JsonObject, TranscribeRequest, TranscribeResponse } from '../../../../core/api/index.ts';
import { omitUndefined, type WriteFrame } from '../../../../core/api/codec.ts';
import { DONE } from '../../chat-completions/shape.ts';
import { PLAIN_TEXT } from '../shape.ts';
import { writeUsage } from '../usage.ts';

interface Asked {
  readonly request: TranscribeRequest;
}

/** https://platform.openai.com/docs/api-reference/audio/json-object. A plain text ends with a line end. */
export const encodeResponse = ({ text, usage }: TranscribeResponse, { request }: Asked): JsonObject | FileBody =>
  request.format === 'text'
    ? { contentType: PLAIN_TEXT, bytes: Buffer.from(`${text}\n`) }
    : omitUndefined({ text, usage: writeUsage(usage) });

/** The same in English, which has no usage: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const encodeTranslation = ({ text }: TranscribeResponse, asked: Asked): JsonObject | FileBody =>
  encodeResponse({ text }, asked);

/** The text as one event: https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event */
export function encodeAsStream({ text, usage }: TranscribeResponse, _context: unknown, write: WriteFrame): void {
  if (text !== '') write(undefined, JSON.stringify({ type: 'transcript.text.delta', delta: text }));
  write(undefined, JSON.stringify({ type: 'transcript.text.done', text, usage: writeUsage(usage) }));
  write(undefined, DONE);
}
