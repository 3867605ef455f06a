import { expect } from 'chai';
import { content, decode, refusal, respond } from '../exchange.ts';

const usage = {
  inputUncached: 7,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'provider',
} as const;
const single = decode(content('a'));
const batch = decode({ requests: [content('a')] });

describe('embed-content: responses to clients', () => {
  it('the response has the form of the method that the client called', () => {
    const vectors = [Float32Array.of(0.5, -1)];
    expect(respond({ vectors }, single)).to.deep.equal({ embedding: { values: [0.5, -1] } });
    expect(respond({ vectors }, batch)).to.deep.equal({ embeddings: [{ values: [0.5, -1] }] });
    // The mark of the method survives what a plugin does to a request.
    expect(respond({ vectors }, { ...single, inputs: ['b'] })).to.have.property('embedding');
  });

  it('the response has the usage if it is known', () => {
    expect(respond({ vectors: [Float32Array.of(1)], usage }, batch)['usageMetadata']).to.deep.equal({
      promptTokenCount: 7,
      totalTokenCount: 7,
    });
  });

  it('throws if a response has no vector', () => {
    expect(refusal(() => respond({ vectors: [] }, single))).to.include({ code: 'upstream_bad_response' });
  });
});
