import type { ByteSource, Measure } from './byte-source.ts';

const MAX_BOXES = 256;

interface Box {
  readonly name: string;
  /** Of its content. */
  readonly start: number;
  readonly end: number;
}

/** Boxes of one level: https://developer.apple.com/documentation/quicktime-file-format/atoms */
async function* readBoxes(file: ByteSource, from: number, to: number): AsyncGenerator<Box> {
  let at = from;
  for (let boxes = 0; boxes < MAX_BOXES && at + 8 <= to; boxes += 1) {
    const header = await file.read(at, 16);
    const short = header.readUInt32BE(0);
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    const own = short === 1 ? 16 : 8;
    if (length < own) return;
    yield { name: header.toString('latin1', 4, 8), start: at + own, end: Math.min(to, at + length) };
    at += length;
  }
}

const findBox = async (file: ByteSource, name: string, from: number, to: number): Promise<Box | undefined> => {
  for await (const box of readBoxes(file, from, to)) if (box.name === name) return box;
  return undefined;
};

/** Scale and duration of a header box, in 32 or 64 bits by its version. `fragments` has no scale. */
const readDuration = async (file: ByteSource, { start }: Box): Promise<readonly [scale: number, duration: number]> => {
  const box = await file.read(start, 32);
  return box.readUInt8(0) === 1
    ? [box.readUInt32BE(20), Number(box.readBigUInt64BE(24))]
    : [box.readUInt32BE(12), box.readUInt32BE(16)];
};

/** The duration that a file in fragments states beside its header: ISO/IEC 14496-12, 8.8.2. */
const readFragments = async (file: ByteSource, moov: Box): Promise<number> => {
  const mvex = await findBox(file, 'mvex', moov.start, moov.end);
  const mehd = mvex && (await findBox(file, 'mehd', mvex.start, mvex.end));
  if (mehd === undefined) return 0;
  const box = await file.read(mehd.start, 12);
  return box.readUInt8(0) === 1 ? Number(box.readBigUInt64BE(4)) : box.readUInt32BE(4);
};

/** The header of the movie, which can be at the end of the file. */
export const measureMp4: Measure = async (file) => {
  const moov = await findBox(file, 'moov', 0, file.length);
  const mvhd = moov && (await findBox(file, 'mvhd', moov.start, moov.end));
  if (moov === undefined || mvhd === undefined) return undefined;
  const [scale, duration] = await readDuration(file, mvhd);
  if (scale === 0) return undefined;
  return (duration || (await readFragments(file, moov))) / scale;
};
