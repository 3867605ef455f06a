import { expect } from 'chai';
import { createProfile } from '../../../../../core/testing/index.ts';
import { content, decode, inboundOf, native, read, refusal, upstream } from '../exchange.ts';

const watch = (body: unknown) => {
  const tap = native(inboundOf(content('a')), decode(content('a')), createProfile('embed-content'))?.tap();
  tap?.inspectBody(body);
  return tap?.observed;
};

describe('embed-content: responses of a provider', () => {
  it('reads both forms, with the usage if there is one', () => {
    expect(read({ embedding: { values: [0.5, -1] } })).to.deep.equal({ vectors: [Float32Array.of(0.5, -1)] });
    const { vectors, usage } = read({
      embeddings: [{ values: [1] }, { values: [2] }],
      usageMetadata: { promptTokenCount: 14, promptTokenDetails: [] },
    });
    expect(vectors).to.deep.equal([Float32Array.of(1), Float32Array.of(2)]);
    expect(usage).to.include({ inputUncached: 14, output: 0, source: 'provider' });
    expect(read({ embedding: { values: [1] }, usageMetadata: { trafficType: 'ON_DEMAND' } })).to.not.have.property(
      'usage',
    );
  });

  for (const body of [
    null,
    [],
    {},
    { embeddings: [] },
    { embeddings: [null] },
    { embeddings: [{ values: [] }] },
    { embedding: { values: ['1'] } },
    { embedding: { values: [1e300] } },
  ]) {
    it(`rejects the response ${JSON.stringify(body)}`, () =>
      expect(refusal(() => read(body))).to.include({ code: 'upstream_bad_response' }));
  }

  it('reads an error inside a 200', () => {
    const body = { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } };
    expect(refusal(() => read(body))).to.include({ failure: 'rate-limit' });
    expect(watch(body)?.error).to.include({ failure: 'rate-limit' });
  });

  it('reads the usage of a native response in the tap', () => {
    expect(watch({ embeddings: [{ values: [1] }], usageMetadata: { promptTokenCount: 14 } })?.usage).to.include({
      inputUncached: 14,
    });
    expect(watch({ embeddings: [{ values: [1] }] })).to.deep.equal({ outputChars: 0 });
    expect(watch({})?.error).to.include({ code: 'upstream_bad_response' });
  });

  it('ends a native response with an error of generate-content', () => {
    const body = {
      error: {
        code: 404,
        message:
          'models/x is not found for API version v1beta, or is not supported for embedContent. Call ListModels to see the list of available models and their supported methods.',
        status: 'NOT_FOUND',
      },
    };
    expect(upstream.decodeError({ status: 404, headers: {}, body })).to.include({ failure: 'model-gone', status: 404 });
  });
});
