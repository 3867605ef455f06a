/** Bytes that can be read at any place. */
export interface ByteSource {
  readonly length: number;
  /** At most `count` bytes from `at`: fewer at the end, none beyond it. */
  read(at: number, count: number): Promise<Buffer>;
}

/** Bytes in memory as a source. */
export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  length: bytes.byteLength,
  read: (at, count) => Promise.resolve(Buffer.from(bytes.subarray(at, at + Math.max(0, count)))),
});

/** Seconds, or undefined if the file does not say them. Reads a few blocks, never the whole file. */
export type Measure = (file: ByteSource, head: Buffer) => number | undefined | Promise<number | undefined>;
