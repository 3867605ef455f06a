import { expect } from 'chai';
import { sourceOf } from '../../../../../core/services/media/audio/byte-source.ts';
import { measureAudio } from '../../../../../core/services/media/audio/measure.ts';
import { writeWav } from '../../../../e2e/operations/audio.ts';

const measure = (bytes: Buffer) => measureAudio(sourceOf(bytes));
const box = (name: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.byteLength);
  head.write(name, 4);
  return Buffer.concat([head, body]);
};

describe('the seconds of an audio file', () => {
  it('are those of its bytes in WAV, also if a recorder did not know the length', async () => {
    const wav = writeWav(2.5);
    expect(await measure(wav)).to.deep.equal({ type: 'audio/wav', seconds: 2.5 });
    wav.writeUInt32LE(0xff_ff_ff_ff, 40);
    expect(await measure(wav)).to.deep.equal({ type: 'audio/wav', seconds: 2.5 });
  });

  it('are in the header at the end of an MP4', async () => {
    const mvhd = Buffer.alloc(100);
    mvhd.writeUInt32BE(1_000, 12);
    mvhd.writeUInt32BE(7_250, 16);
    const file = [
      box('ftyp', Buffer.from('M4A     ')),
      box('mdat', Buffer.alloc(50_000)),
      box('moov', box('mvhd', mvhd)),
    ];
    expect(await measure(Buffer.concat(file))).to.deep.equal({ type: 'audio/mp4', seconds: 7.25 });
  });

  it('are bytes by the rate of an MP3', async () => {
    const mp3 = Buffer.alloc(16_000);
    // Version 1, layer III, 128 kbit/s, 44.1 kHz.
    mp3.writeUInt32BE(0xff_fb_90_00);
    expect(await measure(mp3)).to.deep.equal({ type: 'audio/mpeg', seconds: 1 });
  });

  it('are samples by their rate in FLAC and Ogg', async () => {
    const flac = Buffer.alloc(64);
    flac.write('fLaC');
    flac.writeUIntBE(16_000 << 4, 18, 3);
    flac.writeUInt32BE(48_000, 22);
    expect(await measure(flac)).to.deep.equal({ type: 'audio/flac', seconds: 3 });
    const ogg = Buffer.alloc(200);
    ogg.write('OggS');
    ogg.write('OpusHead', 28);
    ogg.write('OggS', 100);
    ogg.writeBigInt64LE(96_000n, 106);
    expect(await measure(ogg)).to.deep.equal({ type: 'audio/ogg', seconds: 2 });
  });

  it('are unknown where the headers do not say them, and other files are no audio', async () => {
    expect(await measure(Buffer.concat([box('ftyp', Buffer.from('M4A     '))]))).to.deep.equal({ type: 'audio/mp4' });
    expect(await measure(Buffer.from('<html>this is no audio</html>'))).to.equal(undefined);
  });

  it('never fail, whatever the bytes behind the first are', async () => {
    const heads = [
      'RIFF....WAVE',
      'fLaC',
      'OggS',
      '....ftyp',
      '\u001aE\u00df\u00a3',
      'ID3',
      '\u00ff\u00f1',
      '\u00ff\u00fb',
    ];
    for (const head of heads)
      for (let seed = 0; seed < 200; seed += 1) {
        const bytes = Buffer.from(Array.from({ length: 12 + seed }, (_, at) => (at * 31 + seed * 17) & 255));
        bytes.write(head, 'latin1');
        expect(await measure(bytes)).to.have.property('type');
      }
  });
});
