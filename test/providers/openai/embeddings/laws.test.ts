import { expect } from 'chai';
import { embedLaws, type Recording } from '../../../../core/testing/index.ts';
import { embeddingsCodec } from '../../../../providers/openai/embeddings/index.ts';
import { hasCorpus, readCorpus } from '../../../core/testing/corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

/** All vendors with embeddings of this wire. */
const style = /"path": ?"[^"]*\/embeddings(?:\?[^"]*)?"/;
/** Perplexity's vectors are int8 in base64, which this wire does not define. */
const isInt8 = (line: string): boolean => /"provider": ?"perplexity"/.test(line);

const isOwn = (line: string): boolean => style.test(line) && !/\/api\/embeddings"/.test(line) && !isInt8(line);
const recordings: readonly Recording[] = [
  ...readCorpus('embeddings.jsonl', 'embeddings', isOwn),
  ...readCorpus('errors.jsonl', 'embeddings', isOwn),
];
const foreign = readCorpus('embeddings.jsonl', 'embeddings', isInt8);

describe('codec laws: embeddings', () => {
  it('embeddings have recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect(recordings).to.have.lengthOf.above(35);
  });
  if (hasCorpus) testLaws(embedLaws(embeddingsCodec, recordings, { defaults: ['float'] }));

  it('rejects vectors of another type that look like floats', function () {
    if (!hasCorpus) this.skip();
    expect(foreign).to.have.lengthOf(2);
    for (const { response } of foreign)
      expect(() =>
        embeddingsCodec.upstream?.decodeResponse(response?.body, {
          origin: { provider: 'p', family: 'f' },
          turn: 0,
          lose: () => undefined,
        }),
      ).to.throw('not made of 32-bit floats');
  });
});
