/** The bytes before the samples. */
const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const PCM = 1;
const MONO = 1;

/**
 * Samples of 16 bits on one channel as a WAV file: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
 * @param rate samples for each second
 */
export function writeWav(samples: Uint8Array, rate: number): Buffer {
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
