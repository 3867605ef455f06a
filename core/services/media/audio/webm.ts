import type { ByteSource, Measure } from './byte-source.ts';

// Ids of elements: https://www.matroska.org/technical/elements.html
const SEGMENT = 0x18_53_80_67;
const INFO = 0x15_49_a9_66;
const SCALE = 0x2a_d7_b1;
const DURATION = 0x44_89;
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const TIMESTAMP = 0xe7;
/** Nanoseconds: a millisecond. */
const USUAL_SCALE = 1_000_000;
const MAX_ELEMENTS = 64;
/** A cluster of audio is a few seconds. */
const TAIL_BYTES = 1_048_576;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** @param keepsMark ids keep the bit that marks their length, sizes do not */
const readNumber = (bytes: Buffer, at: number, keepsMark: boolean): readonly [value: number, length: number] => {
  const first = bytes.readUInt8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8) throw new RangeError('no number');
  let value = keepsMark ? first : first & (255 >> length);
  for (let index = 1; index < length; index += 1) value = value * 256 + bytes.readUInt8(at + index);
  return [value, length];
};

/** Elements of one level. One of unknown size goes to the end. */
function* readElements(bytes: Buffer, from: number, to: number): Generator<Element> {
  let at = from;
  for (let elements = 0; elements < MAX_ELEMENTS && at < to; elements += 1) {
    const [id, idLength] = readNumber(bytes, at, true);
    const [size, sizeLength] = readNumber(bytes, at + idLength, false);
    const start = at + idLength + sizeLength;
    const isUnknown = size === 2 ** (7 * sizeLength) - 1;
    at = isUnknown ? to : start + size;
    yield { id, start, end: at };
  }
}

const readUnsigned = (bytes: Buffer, { start, end }: Element): number =>
  bytes.subarray(start, Math.min(end, start + 8)).reduce((value, byte) => value * 256 + byte, 0);

/** The time of the last cluster, for what a browser has recorded: it states no duration. */
const readLastCluster = async (file: ByteSource): Promise<number | undefined> => {
  const tail = await file.read(Math.max(0, file.length - TAIL_BYTES), TAIL_BYTES);
  const at = tail.lastIndexOf(CLUSTER);
  if (at === -1) return undefined;
  const [, sizeLength] = readNumber(tail, at + 4, false);
  const [first] = readElements(tail, at + 4 + sizeLength, tail.byteLength);
  return first?.id === TIMESTAMP ? readUnsigned(tail, first) : undefined;
};

/** The duration in the information on the segment, else the time of its last cluster. */
export const measureWebm: Measure = async (file, head) => {
  const segment = readElements(head, 0, head.byteLength).find(({ id }) => id === SEGMENT);
  const info = segment && readElements(head, segment.start, head.byteLength).find(({ id }) => id === INFO);
  let scale = USUAL_SCALE;
  let duration: number | undefined;
  if (info !== undefined)
    for (const element of readElements(head, info.start, Math.min(info.end, head.byteLength))) {
      if (element.id === SCALE) scale = readUnsigned(head, element);
      if (element.id !== DURATION) continue;
      duration = element.end - element.start === 4 ? head.readFloatBE(element.start) : head.readDoubleBE(element.start);
    }
  const ticks = duration ?? (await readLastCluster(file));
  return ticks === undefined ? undefined : (ticks * scale) / 1e9;
};
