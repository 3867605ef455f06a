import type { Measure } from './byte-source.ts';

const MAX_CHUNKS = 64;

/**
 * Bytes of sound by bytes per second: http://soundfile.sapp.org/doc/WaveFormat/. A recorder that streams does not know
 * the length: it writes zeros or ones, and the sound goes to the end of the file.
 */
export const measureWav: Measure = async (file) => {
  let bytesPerSecond = 0;
  let at = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + 8 <= file.length; chunks += 1) {
    const header = await file.read(at, 20);
    const name = header.toString('latin1', 0, 4);
    const length = header.readUInt32LE(4);
    if (name === 'fmt ') bytesPerSecond = header.readUInt32LE(16);
    if (name === 'data') {
      if (bytesPerSecond === 0) return undefined;
      const left = file.length - at - 8;
      return (length === 0 ? left : Math.min(length, left)) / bytesPerSecond;
    }
    // Chunks begin at even places.
    at += 8 + length + (length % 2);
  }
  return undefined;
};
