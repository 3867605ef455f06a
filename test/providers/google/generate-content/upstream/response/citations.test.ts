import { expect } from 'chai';
import type { Part } from '../../../../../../core/api/index.ts';
import { isLinear } from '../../../../../support/time/growth.ts';
import { chunk, foldChunks, readResponse, stop } from '../exchange.ts';

const web = (uri: string, title = 'T') => ({ web: { uri, title } });
const support = (text: string, startIndex: number, endIndex: number, ...groundingChunkIndices: readonly number[]) => ({
  segment: { startIndex, endIndex, text },
  groundingChunkIndices,
});
const grounding = (...groundingSupports: readonly object[]) => ({
  groundingMetadata: {
    groundingChunks: [web('https://a'), web('https://b'), { retrievedContext: { text: 'x' } }],
    groundingSupports,
  },
});
const citationsOf = (parts: readonly Part[] | undefined) =>
  parts?.map((part) =>
    part.type === 'text' ? (part.citations ?? []).map(({ url, start, end }) => [url, start, end]) : part.type,
  );
const read = (parts: readonly unknown[], candidate: object) =>
  readResponse(chunk(parts, { ...stop, ...candidate })).choices[0]?.parts;

describe('citations of generate-content', () => {
  it('counts citations in code points where the wire counts bytes', () => {
    const text = 'Héé 😀 wide. Next.';
    const segment = Buffer.byteLength('Héé 😀 ');
    const parts = read([{ text }], grounding(support('wide.', segment, segment + 5, 0, 1), support('Héé', 0, 5, 1)));
    expect(citationsOf(parts)).to.deep.equal([
      [
        ['https://a', 6, 11],
        ['https://b', 6, 11],
        ['https://b', 0, 3],
      ],
    ]);
    expect([...text].slice(6, 11).join('')).to.equal('wide.');
  });

  it('keeps the source and the segment of a citation as the vendor wrote them', () => {
    const [part] = read([{ text: 'ab' }], grounding(support('b', 1, 2, 0))) ?? [];
    expect(part?.type === 'text' ? part.citations : undefined).to.deep.equal([
      {
        url: 'https://a',
        title: 'T',
        start: 1,
        end: 2,
        vendor: {
          wire: 'generate-content',
          value: { groundingChunk: web('https://a'), segment: { startIndex: 1, endIndex: 2, text: 'b' } },
        },
      },
    ]);
  });

  it('assigns citations to the part with their text, whatever the offsets count from', () => {
    const code = { executableCode: { code: 'x', language: 'PYTHON' } };
    expect(
      citationsOf(
        read([{ text: 'one' }, code, { text: 'two' }], grounding(support('two', 0, 3, 0), support('one', 0, 3, 1))),
      ),
    ).to.deep.equal([[['https://b', 0, 3]], 'opaque', [['https://a', 0, 3]]]);
    expect(
      citationsOf(read([{ text: 'one' }, code, { text: 'two' }], grounding(support('two', 3, 6, 0)))),
    ).to.deep.equal([[], 'opaque', [['https://a', 0, 3]]]);
  });

  it('assigns citations to the whole text if the offsets are wrong', () => {
    expect(
      citationsOf(read([{ text: 'one' }], grounding(support('nowhere', 0, 3, 0), support('', -1, 900, 1)))),
    ).to.deep.equal([
      [
        ['https://a', undefined, undefined],
        ['https://b', 0, 3],
      ],
    ]);
  });

  it('reads only citations with a URL', () => {
    expect(citationsOf(read([{ text: 'one' }], grounding(support('one', 0, 3, 2, 7))))).to.deep.equal([[]]);
    expect(
      citationsOf(
        read([{ text: 'one' }], {
          citationMetadata: { citations: [{}, { uri: 'https://q', startIndex: 1, endIndex: 3 }] },
        }),
      ),
    ).to.deep.equal([[['https://q', 1, 3]]]);
    expect(
      citationsOf(read([{ text: 'one' }], { citationMetadata: { citationSources: [{ uri: 'https://q' }] } })),
    ).to.deep.equal([[['https://q', undefined, undefined]]]);
  });

  it('places citations without joining the texts again for each', async () => {
    const answerOf = (size: number) => ({
      parts: Array.from({ length: 5 * size }, () => ({ text: 'x'.repeat(1_000), thoughtSignature: 'S' })),
      supports: Array.from({ length: size }, (_each, index) => support('', index * 5_000, index * 5_000 + 4, 0, 1)),
    });
    const readAll = ({ parts, supports }: ReturnType<typeof answerOf>) => read(parts, grounding(...supports));
    expect(citationsOf(readAll(answerOf(400)))?.[5]).to.deep.equal([
      ['https://a', 0, 4],
      ['https://b', 0, 4],
    ]);
    expect(await isLinear(25, answerOf, readAll)).to.equal(true);
  });

  it('emits citations at the end of a streamed text', () => {
    const parts = foldChunks(
      chunk([{ text: 'Ünï ' }]),
      chunk([{ text: 'two' }]),
      chunk([{ text: '' }], { ...stop, ...grounding(support('two', 6, 9, 0)) }),
    ).choices[0]?.parts;
    expect(citationsOf(parts)).to.deep.equal([[['https://a', 4, 7]]]);
  });

  it('ignores malformed citation metadata', () => {
    for (const groundingMetadata of [
      null,
      1,
      [],
      {
        groundingSupports: [null, 1, {}, { segment: 1, groundingChunkIndices: ['x', -1, 0.5] }],
        groundingChunks: [null],
      },
    ]) {
      expect(() => read([{ text: 'one' }], { groundingMetadata }), JSON.stringify(groundingMetadata)).to.not.throw();
    }
  });
});
