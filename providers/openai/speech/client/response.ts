import type { FileBody, SpeakResponse } from '../../../../core/api/index.ts';
import type { WriteContext, WriteFrame } from '../../../../core/api/codec.ts';
import { typeOfFormat } from '../shape.ts';
import { writeUsage } from '../usage.ts';

/** The rate of samples without a header; undefined for a file. */
const readRate = (mediaType: string): number | undefined => {
  const [, rate] = /^audio\/l16\b.*;\s*rate=(\d{4,6})\b/i.exec(mediaType) ?? [];
  return rate === undefined ? undefined : Number(rate);
};

/** The bytes before the samples. */
const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const PCM = 1;
const MONO = 1;

/**
 * Samples of 16 bits on one channel as a WAV file: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
 * @param rate samples for each second
 */
function writeWav(samples: Uint8Array, rate: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(MONO, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * SAMPLE_BYTES, 28);
  header.writeUInt16LE(SAMPLE_BYTES, 32);
  header.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, samples]);
}

/** The file as the vendor made it. Samples without a header become a WAV file, unless the request is for them. */
export function encodeResponse(
  { audio, mediaType }: SpeakResponse,
  { request: { format } }: Pick<WriteContext<'speak'>, 'request'>,
): FileBody {
  const rate = readRate(mediaType);
  if (rate === undefined) return { contentType: mediaType, bytes: audio };
  return format === 'pcm'
    ? { contentType: typeOfFormat(format), bytes: audio }
    : { contentType: typeOfFormat('wav'), bytes: writeWav(audio, rate) };
}

/** A multiple of 3: the base64 of parts together is that of the whole. */
const PART_BYTES = 48 * 1_024;

/**
 * The file as events, in parts: a client decodes and plays each as it reads it.
 * https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event
 */
export function encodeAsStream(
  response: SpeakResponse,
  context: Pick<WriteContext<'speak'>, 'request'>,
  write: WriteFrame,
): void {
  const { bytes } = encodeResponse(response, context);
  for (let at = 0; at < bytes.byteLength; at += PART_BYTES) {
    const audio = Buffer.from(bytes.subarray(at, at + PART_BYTES)).toString('base64');
    write(undefined, JSON.stringify({ type: 'speech.audio.delta', audio }));
  }
  write(undefined, JSON.stringify({ type: 'speech.audio.done', usage: response.usage && writeUsage(response.usage) }));
}
