/** Splits bytes at the cuts. Each chunk has its own memory, as from a socket. Cuts outside of the bytes are ignored. */
export function rechunk(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const inside = [...new Set(cuts)].filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b);
  const edges = [0, ...inside, bytes.length];
  return edges.slice(1).map((end, index) => new Uint8Array(bytes.subarray(edges[index], end)));
}

const CR = 13;
const LF = 10;
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0;

/**
 * Cuts where decoders are likely to fail: within a character, between CR and LF, between the two line ends of a
 * separator, within and after `data:`.
 */
export function hazardousCuts(bytes: Uint8Array): number[] {
  const cuts: number[] = [];
  for (let at = 1; at < bytes.length; at++) {
    const before = bytes[at - 1];
    const after = bytes[at];
    if (isContinuation(after) || (before === CR && after === LF) || (before === LF && (after === LF || after === CR)))
      cuts.push(at);
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = text.indexOf('data:'); at !== -1; at = text.indexOf('data:', at + 1)) cuts.push(at + 2, at + 4, at + 5);
  return cuts;
}

/** Cuts every `size` bytes; 1 produces one chunk per byte. */
export const evenCuts = (bytes: Uint8Array, size: number): number[] =>
  Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => (index + 1) * size);
