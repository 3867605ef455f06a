import { hash } from 'node:crypto';
import type { TranscribeRequest } from '../../../core/api/index.ts';
import { createContext, EVENTS, formatBody, writeEvent, type OperationHandler } from '../transport.ts';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const;

const describe = ({ audio: { bytes, seconds } }: TranscribeRequest): string =>
  `This audio has ${bytes} bytes and plays for ${seconds} seconds.`;

/** A time of subtitles: 00:00:03,000. */
const writeTime = (seconds: number, point: string): string =>
  new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', point);

/** A text in a format that is not JSON; undefined: the format is. */
const writeText = ({ format, audio: { seconds } }: TranscribeRequest, text: string): string | undefined => {
  if (format === 'text') return `${text}\n`;
  if (format === 'srt') return `1\n${writeTime(0, ',')} --> ${writeTime(seconds, ',')}\n${text}\n`;
  return format === 'vtt' ? `WEBVTT\n\n${writeTime(0, '.')} --> ${writeTime(seconds, '.')}\n${text}\n` : undefined;
};

/** Says how long the audio is, in the format of the request. */
const createHandler = <O extends 'transcribe' | 'translate'>(): OperationHandler<O> => ({
  readText: ({ extra }) => String(extra.members['prompt'] ?? ''),
  reply: (parsed, target) => {
    const { request } = parsed;
    const text = describe(request);
    const context = createContext(parsed, target, { digest: hash('sha256', text, 'hex'), tokens: 0 });
    const usage = { type: 'duration', seconds: Math.ceil(request.audio.seconds) };
    if (request.stream) {
      const events =
        writeEvent('transcript.text.delta', { delta: text }) + writeEvent('transcript.text.done', { text, usage });
      return { headers: EVENTS, body: Buffer.from(events) };
    }
    const plain = writeText(request, text);
    if (plain !== undefined) return { headers: TEXT, body: Buffer.from(plain) };
    return { body: formatBody({ ...(target.side.encodeResponse({ text }, context) as object), usage }) };
  },
});

export const transcribeHandler = createHandler<'transcribe'>();
export const translateHandler = createHandler<'translate'>();
