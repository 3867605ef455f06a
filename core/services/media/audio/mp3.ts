import type { ByteSource, Measure } from './byte-source.ts';

// The tables of frame headers: http://www.mp3-tech.org/programmer/frame_header.html
const rates: readonly (readonly number[])[] = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
];
const V1 = 3;
const V25 = 0;
/** Kilobits per second by layer: III, II, I. */
const bitratesV1: readonly (readonly number[])[] = [
  [],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
];
const low = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const bitratesV2: readonly (readonly number[])[] = [
  [],
  low,
  low,
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
];

interface Frame {
  readonly version: number;
  readonly layer: number;
  readonly rate: number;
  readonly kilobits: number;
  readonly isMono: boolean;
}

const readFrame = (bytes: Buffer, at: number): Frame | undefined => {
  const word = bytes.readUInt32BE(at);
  if (word >>> 21 !== 0x7_ff) return undefined;
  const version = (word >> 19) & 3;
  const layer = (word >> 17) & 3;
  const rate = rates[version]?.[(word >> 10) & 3];
  const kilobits = (version === V1 ? bitratesV1 : bitratesV2)[layer]?.[(word >> 12) & 15];
  if (rate === undefined || !kilobits) return undefined;
  return { version, layer, rate, kilobits, isMono: ((word >> 6) & 3) === 3 };
};

const countSamples = ({ version, layer }: Frame): number => {
  if (layer === 3) return 384;
  return layer === 1 && version !== V1 ? 576 : 1_152;
};

/** The number of frames that an encoder of varying rates writes into the first one. */
const readFrames = (bytes: Buffer, at: number, { version, isMono }: Frame): number | undefined => {
  const side = version === V1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const tag = at + 4 + side;
  const name = bytes.toString('latin1', tag, tag + 4);
  if ((name === 'Xing' || name === 'Info') && (bytes.readUInt32BE(tag + 4) & 1) === 1)
    return bytes.readUInt32BE(tag + 8);
  return bytes.toString('latin1', at + 36, at + 40) === 'VBRI' ? bytes.readUInt32BE(at + 50) : undefined;
};

/** The length of an ID3 tag before the sound: https://id3.org/id3v2.4.0-structure */
const skipTag = (head: Buffer): number => {
  if (head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  return 10 + (((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127));
};

const BLOCK = 8_192;

const findFrame = (bytes: Buffer): readonly [at: number, frame: Frame] | undefined => {
  for (let at = 0; at + 64 < bytes.byteLength; at += 1) {
    const frame = bytes[at] === 0xff ? readFrame(bytes, at) : undefined;
    if (frame !== undefined) return [at, frame];
  }
  return undefined;
};

/** By the number of frames, else by bytes and the rate of the first frame. */
export const measureMp3: Measure = async (file, head) => {
  const start = skipTag(head);
  const bytes = await file.read(start, BLOCK);
  const found = findFrame(bytes);
  if (found === undefined || found[1].version === V25 + 1) return undefined;
  const [at, frame] = found;
  const frames = readFrames(bytes, at, frame);
  if (frames !== undefined && frames > 0) return (frames * countSamples(frame)) / frame.rate;
  return ((file.length - start - at) * 8) / (frame.kilobits * 1_000);
};

const adtsRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
const ADTS_SAMPLES = 1_024;

const countAdts = (bytes: Buffer): { readonly frames: number; readonly bytes: number } => {
  let at = 0;
  let frames = 0;
  while (at + 7 <= bytes.byteLength && bytes[at] === 0xff) {
    const length =
      ((bytes.readUInt8(at + 3) & 3) << 11) | (bytes.readUInt8(at + 4) << 3) | (bytes.readUInt8(at + 5) >> 5);
    if (length < 7) break;
    at += length;
    frames += 1;
  }
  return { frames, bytes: at };
};

/** Frames of AAC have no count: by bytes and the mean length of the first frames. https://wiki.multimedia.cx/index.php/ADTS */
export const measureAdts: Measure = (file: ByteSource, head) => {
  const rate = adtsRates[(head.readUInt8(2) >> 2) & 15];
  const { frames, bytes } = countAdts(head);
  if (rate === undefined || frames === 0) return undefined;
  return ((file.length / bytes) * frames * ADTS_SAMPLES) / rate;
};
