import { expect } from 'chai';
import { isLinear } from '../../../../support/time/growth.ts';
import { client, content, decode, inboundOf, refusal } from '../exchange.ts';

const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };

describe('embed-content: requests of clients', () => {
  it('reads a single content and a batch', () => {
    expect(decode({ ...content('Hello'), outputDimensionality: 64 })).to.deep.include({
      inputs: ['Hello'],
      dimensions: 64,
      encoding: 'float',
    });
    const batch = {
      requests: [
        { model: 'models/x', ...content('Hello'), outputDimensionality: 64 },
        { model: 'models/x', ...content('World'), outputDimensionality: 64 },
      ],
    };
    expect(decode(batch)).to.deep.equal({
      inputs: ['Hello', 'World'],
      dimensions: 64,
      encoding: 'float',
      extra: { wire: 'embed-content', members: {} },
    });
  });

  it('joins the text parts of a content, which have one vector', () => {
    expect(
      decode({
        requests: [{ content: { role: 'user', parts: [{ text: 'Why is the sky blue?' }, { text: 'And the sea?' }] } }],
      }).inputs,
    ).to.deep.equal(['Why is the sky blue?\nAnd the sea?']);
  });

  it('reads the model from the path, or from the body if the path has none', () => {
    expect(client.decodeRequest(inboundOf(content('Hi'))).model).to.equal('google/gemini-embedding-001');
    expect(client.decodeRequest({ ...inboundOf(content('Hi')), model: 'models/a/b' }).model).to.equal('a/b');
    const { model: _model, ...pathless } = inboundOf({ ...content('Hi'), model: 'models/a/b' });
    expect(client.decodeRequest(pathless).model).to.equal('a/b');
    expect(refusal(() => client.decodeRequest({ ...pathless, body: content('Hi') }))).to.include({
      status: 400,
      param: 'model',
    });
  });

  it('keeps extra members once if all requests agree, and by index if they differ', () => {
    expect(decode({ ...content('Hi'), taskType: 'RETRIEVAL_DOCUMENT', title: 'T' }).extra.members).to.deep.equal({
      taskType: 'RETRIEVAL_DOCUMENT',
      title: 'T',
    });
    const { extra, dimensions } = decode({
      requests: [
        { ...content('a'), taskType: 'CLUSTERING', title: 'one', outputDimensionality: 64 },
        { ...content('b'), taskType: 'CLUSTERING', outputDimensionality: 128 },
      ],
      extra: true,
    });
    expect(dimensions).to.equal(undefined);
    expect(extra.members).to.deep.equal({
      'extra': true,
      'requests[].taskType': 'CLUSTERING',
      'requests[0].title': 'one',
      'requests[0].outputDimensionality': 64,
      'requests[1].outputDimensionality': 128,
    });
  });

  it("accepts the snake_case spelling of the vendor's examples", () => {
    expect(decode({ ...content('Hi'), output_dimensionality: 64, task_type: 'CLUSTERING' })).to.deep.include({
      dimensions: 64,
      extra: { wire: 'embed-content', members: { task_type: 'CLUSTERING' } },
    });
  });

  it('keeps extra members of single requests in linear time', async () => {
    const requestsOf = (length: number) =>
      Array.from({ length }, (_, index) => ({
        ...content('a'),
        ...Object.fromEntries(Array.from({ length: 40 }, (_each, member) => [`m${index}_${member}`, 1])),
      }));
    expect(Object.keys(decode({ requests: requestsOf(1_500) }).extra.members)).to.have.length(60_000);
    expect(await isLinear(100, requestsOf, (requests) => decode({ requests }))).to.equal(true);
  });

  it('reads a content with any number of parts', () => {
    const parts = Array.from({ length: 200_000 }, () => ({ text: 'a' }));
    expect(decode({ content: { parts } }).inputs).to.deep.equal([parts.map(({ text }) => text).join('\n')]);
  });

  it('names images and other media, which only this wire can send', () => {
    expect(decode({ content: { parts: [{ text: 'The logo' }, image] } })).to.deep.include({
      inputs: ['The logo'],
      media: ['content.parts[1]'],
    });
    expect(decode({ requests: [content('a'), { content: { parts: [image] } }] })).to.deep.include({
      inputs: ['a', ''],
      media: ['requests[1].content.parts[0]'],
    });
    expect(decode(content('a'))).not.to.have.property('media');
  });

  const refused: readonly (readonly [what: string, body: unknown, param: string])[] = [
    ['no content', {}, 'content'],
    ['a content without parts', { content: {} }, 'content'],
    ['an empty text', content(''), 'content'],
    ['an empty part', { content: { parts: [{ text: 'The logo' }, {}] } }, 'content.parts[1]'],
    ['a text that is not a string', { content: { parts: [{ text: 7 }] } }, 'content.parts[0].text'],
    ['an empty batch', { requests: [] }, 'requests'],
    ['an entry that is not a request', { requests: [content('a'), null] }, 'requests[1]'],
    ['a request without content', { requests: [content('a'), {}] }, 'requests[1].content'],
    ['0 dimensions', { ...content('a'), outputDimensionality: 0 }, 'outputDimensionality'],
    [
      'dimensions as a text',
      { requests: [{ ...content('a'), output_dimensionality: '64' }] },
      'requests[0].output_dimensionality',
    ],
  ];
  for (const [what, body, param] of refused) {
    it(`rejects a request with ${what} and names ${param}`, () => {
      const { status, code, param: named } = refusal(() => decode(body));
      expect({ status, code, named }).to.deep.equal({ status: 400, code: 'invalid_request', named: param });
    });
  }
});
