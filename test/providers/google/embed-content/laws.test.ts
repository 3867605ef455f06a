import { expect } from 'chai';
import { embedLaws, type Recording } from '../../../../core/testing/index.ts';
import { embedContentCodec } from '../../../../providers/google/embed-content/index.ts';
import { hasCorpus, readCorpus } from '../../../core/testing/corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

const style = /"path": ?"[^"]*:(?:batchEmbedContents|embedContent)"/;
/** Vectors of pictures: the canonical form of an input is text. */
const isSeen = (line: string): boolean => /"multimodal"/.test(line);

/** The model stands in the path. */
const placed = ({ request, ...recording }: Recording): Recording => ({
  ...recording,
  ...(request === undefined ? {} : { request: { ...request, model: 'model' } }),
});
/** Only the body is the client's: the shared reader adds a model to each. */
const unnamed = ({ request, ...recording }: Recording): Recording => {
  if (request === undefined) return recording;
  const { model: _model, ...body } = request.body as { readonly model?: unknown };
  return { ...recording, request: { ...request, body } };
};
const readOwn = (file: string, keeps: (line: string) => boolean) =>
  readCorpus(file, 'embed-content', (line) => style.test(line) && keeps(line))
    .map(unnamed)
    .map(placed);

const recordings = [...readOwn('embeddings.jsonl', (line) => !isSeen(line)), ...readOwn('errors.jsonl', () => true)];
const seen = readOwn('embeddings.jsonl', isSeen);
/** What a role or a name of the model says is said by the path, and parts become one text. */
const defaults = ['user', 'models/model', 'Why is the sky blue?', 'What is the capital of France?'];
const isNamed = (scalar: string): boolean => scalar.startsWith('models/');
const names = recordings
  .flatMap(({ request }) =>
    [...JSON.stringify(request?.body ?? '').matchAll(/"(models\/[^"]+)"/g)].map(([, name = '']) => name),
  )
  .filter(isNamed);

describe('laws of the embed-content codec', () => {
  it('embed-content has recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect(recordings).to.have.lengthOf(12);
  });
  if (hasCorpus) testLaws(embedLaws(embedContentCodec, recordings, { defaults: [...defaults, ...names] }));

  it('reads the response to an image, and names the image in the request', function () {
    if (!hasCorpus) this.skip();
    expect(seen).to.have.lengthOf(1);
    for (const { request, response } of seen) {
      expect(
        embedContentCodec.upstream?.decodeResponse(response?.body, {
          origin: { provider: 'p', family: 'f' },
          turn: 0,
          lose: () => undefined,
        }).usage,
      ).to.include({ inputUncached: 261 });
      const inbound = { raw: Buffer.from(''), body: request?.body, headers: {}, query: {}, model: 'model' };
      expect(embedContentCodec.client?.decodeRequest(inbound).request.media).to.deep.equal([
        'requests[0].content.parts[1]',
      ]);
    }
  });
});
