import type { ByteSource, Measure } from './byte-source.ts';

/** A page is at most that long: https://www.rfc-editor.org/rfc/rfc3533#section-6 */
const PAGE_BYTES = 65_307;
/** The rate of granules of Opus, whatever its input had: https://www.rfc-editor.org/rfc/rfc7845#section-4 */
const OPUS_RATE = 48_000;

const readRate = (head: Buffer): number | undefined => {
  const opus = head.indexOf('OpusHead');
  if (opus !== -1) return OPUS_RATE;
  const vorbis = head.indexOf('\u0001vorbis', 0, 'latin1');
  if (vorbis !== -1) return head.readUInt32LE(vorbis + 12);
  const flac = head.indexOf('fLaC');
  return flac === -1 ? undefined : head.readUIntBE(flac + 18, 3) >> 4;
};

/** The last page that ends a packet: its granule is the number of samples up to its end. */
const readLastGranule = async (file: ByteSource): Promise<number | undefined> => {
  const tail = await file.read(Math.max(0, file.length - 2 * PAGE_BYTES), 2 * PAGE_BYTES);
  for (let at = tail.lastIndexOf('OggS'); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    if (at + 14 > tail.byteLength) continue;
    const granule = tail.readBigInt64LE(at + 6);
    if (granule > 0n) return Number(granule);
  }
  return undefined;
};

/** Samples by their rate. */
export const measureOgg: Measure = async (file, head) => {
  const rate = readRate(head);
  const samples = rate ? await readLastGranule(file) : undefined;
  return rate === undefined || samples === undefined ? undefined : samples / rate;
};
