import type { ByteSource, Measure } from './byte-source.ts';
import { measureAdts, measureMp3 } from './mp3.ts';
import { measureMp4 } from './mp4.ts';
import { measureOgg } from './ogg.ts';
import { measureWav } from './wav.ts';
import { measureWebm } from './webm.ts';

/** Samples by their rate, in the first block: https://www.rfc-editor.org/rfc/rfc9639#section-8.2 */
const measureFlac: Measure = (_file, head) => {
  const rate = head.readUIntBE(18, 3) >> 4;
  const samples = (head.readUInt8(21) & 0xf) * 2 ** 32 + head.readUInt32BE(22);
  return rate === 0 || samples === 0 ? undefined : samples / rate;
};

/** What the bytes of an audio file say of it. */
export interface MeasuredAudio {
  readonly type: string;
  /** How long it plays. Absent: its container does not say. */
  readonly seconds?: number;
}

interface Container {
  readonly type: string;
  readonly is: (head: Buffer) => boolean;
  readonly measure: Measure;
}

const HEAD_BYTES = 16_384;
/** A day and a half: the longest that vendors take is some hours. Longer ones are errors of a header. */
const MAX_SECONDS = 131_072;

const hasText = (head: Buffer, at: number, ...texts: readonly string[]): boolean =>
  texts.some((text) => head.toString('latin1', at, at + text.length) === text);
/** Eleven bits of a frame header, and its layer: https://www.rfc-editor.org/rfc/rfc3003 */
const isFrame = (head: Buffer, layers: readonly number[]): boolean => {
  const [first = 0, second = 0] = head;
  return first === 0xff && (second & 0xe0) === 0xe0 && layers.includes((second >> 1) & 3);
};

const containers: readonly Container[] = [
  {
    type: 'audio/wav',
    is: (head) => hasText(head, 0, 'RIFF', 'RF64') && hasText(head, 8, 'WAVE'),
    measure: measureWav,
  },
  { type: 'audio/flac', is: (head) => hasText(head, 0, 'fLaC'), measure: measureFlac },
  { type: 'audio/ogg', is: (head) => hasText(head, 0, 'OggS'), measure: measureOgg },
  { type: 'audio/mp4', is: (head) => hasText(head, 4, 'ftyp'), measure: measureMp4 },
  { type: 'audio/webm', is: (head) => head.readUInt32BE(0) === 0x1a_45_df_a3, measure: measureWebm },
  { type: 'audio/aac', is: (head) => isFrame(head, [0]), measure: measureAdts },
  { type: 'audio/mpeg', is: (head) => hasText(head, 0, 'ID3') || isFrame(head, [1, 2, 3]), measure: measureMp3 },
];

/**
 * Reads type and duration of an audio file from its headers. Nothing is decoded, and no header can make it read more
 * than some blocks.
 * @returns undefined if the first bytes are not those of audio
 */
export async function measureAudio(file: ByteSource): Promise<MeasuredAudio | undefined> {
  const head = await file.read(0, HEAD_BYTES);
  const found = head.byteLength < 12 ? undefined : containers.find(({ is }) => is(head));
  if (found === undefined) return undefined;
  let seconds: number | undefined;
  try {
    seconds = await found.measure(file, head);
  } catch (thrown) {
    // A header points behind the end of what was read.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  const isKnown = seconds !== undefined && seconds > 0 && seconds <= MAX_SECONDS;
  return isKnown ? { type: found.type, seconds } : { type: found.type };
}
