import { hash } from 'node:crypto';
import type { FileBody, SpeakResponse } from '../../../core/api/index.ts';
import { calculateTokens } from '../tokens.ts';
import { createContext, EVENTS, writeEvent, type OperationHandler } from '../transport.ts';

const RATE = 24_000;
/** A tenth of a second. */
const SAMPLES = RATE / 10;
const PITCH = 440;
const LOUDNESS = 8_000;
/** As OpenAI's models use for each second. */
const TOKENS = 20;

const writeTone = (): Uint8Array => {
  const samples = Int16Array.from({ length: SAMPLES }, (_, index) =>
    Math.round(LOUDNESS * Math.sin((2 * Math.PI * PITCH * index) / RATE)),
  );
  return new Uint8Array(samples.buffer);
};
const tone: SpeakResponse = { audio: writeTone(), mediaType: `audio/L16;rate=${RATE}` };

/** Speaks every text as a short tone: a WAV file, or its samples for the format pcm. A stream has it in two parts. */
export const speakHandler: OperationHandler<'speak'> = {
  readText: ({ text }) => text,
  reply: (parsed, target) => {
    const { request, settings, text } = parsed;
    const tokens = calculateTokens(text.length);
    const context = createContext(parsed, target, { digest: hash('sha256', request.text, 'hex'), tokens });
    const { bytes, contentType } = target.side.encodeResponse(tone, context) as FileBody;
    if (!request.stream) return { headers: { 'content-type': contentType }, body: bytes };
    const half = Math.ceil(bytes.byteLength / 2);
    const input = settings.pinned?.inputUncached ?? tokens;
    const output = settings.pinned?.output ?? TOKENS;
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
    const events =
      [bytes.subarray(0, half), bytes.subarray(half)]
        .map((part) => writeEvent('speech.audio.delta', { audio: Buffer.from(part).toString('base64') }))
        .join('') + writeEvent('speech.audio.done', settings.usage === false ? {} : { usage });
    return { headers: EVENTS, body: Buffer.from(events) };
  },
};
