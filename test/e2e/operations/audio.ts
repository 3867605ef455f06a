/** Silence in 16 bits at 16 kHz. */
export function writeWav(seconds: number): Buffer {
  const length = Math.round(seconds * 32_000);
  const bytes = Buffer.alloc(44 + length);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + length, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(16_000, 24);
  bytes.writeUInt32LE(32_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(length, 40);
  return bytes;
}
