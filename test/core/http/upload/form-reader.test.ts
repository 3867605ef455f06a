import { expect } from 'chai';
import { FormReader, type ReadForm } from '../../../../core/http/upload/form-reader.ts';
import { Spool } from '../../../../core/http/upload/spool.ts';
import { writeWav } from '../../../e2e/operations/audio.ts';

const hold = { store: () => {}, release: () => {} };
const disposition = 'content-disposition: form-data';
const text = (name: string): string => `--b\r\n${disposition}; name="${name}"\r\n\r\nx\r\n`;
const place = (name: string): string => `--b\r\n${disposition}; name="${name}"; filename="a"\r\n\r\n`;
const END = '\r\n--b--\r\n';

describe('the reader of forms', () => {
  /** Reads a form that arrives in these pieces. Each is written when the one before has been taken. */
  const read = async (pieces: readonly Uint8Array[]): Promise<ReadForm> => {
    const spool = await Spool.open(hold, 0);
    try {
      return await new Promise((resolve, reject) => {
        const reader = new FormReader('b', { file: 'audio', other: 'audio' }, spool, reject);
        const write = async (): Promise<ReadForm> => {
          for (const piece of pieces) await reader.write(piece);
          return reader.end();
        };
        write().then(resolve, reject);
      });
    } finally {
      await spool.close();
    }
  };
  const cut = (bytes: Buffer, length: number): readonly Uint8Array[] =>
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length));

  for (const seconds of [0.01, 1, 4, 20])
    it(`takes a file of ${seconds} seconds in pieces of any size, the last boundary among its bytes`, async () => {
      const wav = writeWav(seconds);
      const forms = [
        Buffer.concat([Buffer.from(text('model') + place('file')), wav, Buffer.from(END)]),
        Buffer.concat([Buffer.from(place('file')), wav, Buffer.from(`\r\n${text('model')}--b--\r\n`)]),
        Buffer.concat([
          Buffer.from(place('file')),
          wav,
          Buffer.from(`\r\n${text('model')}${place('other')}`),
          wav,
          Buffer.from(END),
        ]),
      ];
      for (const form of forms)
        for (const length of [form.length, form.length - 3, 65_536, 16_385, 1_000]) {
          const { texts, files } = await read(cut(form, length));
          expect([...texts]).to.deep.equal([['model', 'x']]);
          expect(files.map((file) => file.length)).to.deep.equal(files.map(() => wav.length));
        }
    });

  it('frees the chunks of a file that are on disk, and no others', async () => {
    const first = Buffer.from(text('model') + place('file'));
    const chunks = [4_096, 65_536].map((length) => Buffer.alloc(length, 'a'));
    const { files } = await read([first, ...chunks, Buffer.from(END)]);
    expect(files.map(({ length }) => length)).to.deep.equal([4_096 + 65_536]);
    expect([first, ...chunks].map(({ byteLength }) => byteLength)).to.deep.equal([first.byteLength, 0, 0]);
  });
});
