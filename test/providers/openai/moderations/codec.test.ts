import { expect } from 'chai';
import { GatewayError, type JsonObject } from '../../../../core/api/index.ts';
import { createProfile, createReadContext, createWriteContext } from '../../../../core/testing/index.ts';
import { moderationsCodec } from '../../../../providers/openai/moderations/index.ts';

const { client, upstream } = moderationsCodec;
if (client === undefined || upstream?.native === undefined) throw new Error('the codec lacks a half');
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

const inboundOf = (body: unknown) => ({ raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} });
const decode = (members: JsonObject) => client.decodeRequest(inboundOf(members));
const refuse = (members: JsonObject): string | undefined => {
  try {
    decode(members);
  } catch (thrown) {
    if (GatewayError.is(thrown)) return `${thrown.status} ${thrown.param}`;
    throw thrown;
  }
  return undefined;
};
const extra = { wire: 'moderations', members: {} };

describe('moderations: requests', () => {
  it('classifies texts one by one, and a list of parts as one content', () => {
    expect(decode({ model: 'm', input: 'Hello' }).request.contents).to.deep.equal([[{ type: 'text', text: 'Hello' }]]);
    expect(decode({ model: 'm', input: ['Hello', ''] }).request.contents).to.deep.equal([
      [{ type: 'text', text: 'Hello' }],
      [{ type: 'text', text: '' }],
    ]);
    const parts = [
      { type: 'text', text: 'Hello' },
      { type: 'image_url', image_url: { url: PIXEL } },
    ];
    expect(decode({ model: 'm', input: parts }).request).to.deep.equal({
      contents: [
        [
          { type: 'text', text: 'Hello' },
          { type: 'media', media: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' } },
        ],
      ],
      extra,
    });
  });

  it('is for the default model of the vendor without a model, and keeps unknown members', () => {
    expect(decode({ input: 'Hello', house: 1 })).to.deep.equal({
      model: 'omni-moderation-latest',
      request: {
        contents: [[{ type: 'text', text: 'Hello' }]],
        extra: { wire: 'moderations', members: { house: 1 } },
      },
    });
  });

  it('refuses by name what is no content', () => {
    expect(refuse({ model: 'm' })).to.equal('400 input');
    expect(refuse({ model: 'm', input: [] })).to.equal('400 input');
    expect(refuse({ model: 'm', input: 7 })).to.equal('400 input');
    expect(refuse({ model: 'm', input: ['Hello', 7] })).to.equal('400 input[0]');
    expect(refuse({ model: 'm', input: [{ type: 'audio' }] })).to.equal('400 input[0].type');
    expect(refuse({ model: 'm', input: [{ type: 'image_url', image_url: { url: 'x' } }] })).to.equal(
      '400 input[0].image_url.url',
    );
  });

  it('refuses an image above 5 MB', () => {
    const url = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(7_200_000)}`;
    expect(refuse({ model: 'm', input: [{ type: 'image_url', image_url: { url } }] })).to.equal(
      '400 input[0].image_url.url',
    );
  });

  it('refuses to send several contents with images in one request', () => {
    const image = { type: 'media', media: { mediaType: 'image/png', url: 'https://example.com/a.png' } } as const;
    const text = { type: 'text', text: 'Hello' } as const;
    const write = () =>
      upstream.encodeRequest({ contents: [[image], [text]], extra }, createProfile('moderations'), () => undefined);
    expect(write).to.throw(GatewayError).with.property('param', 'input');
  });
});

describe('moderations: responses', () => {
  const body = { id: 'x', model: 'm', results: [{ categories: { pii: true }, category_scores: { pii: 0.9 } }] };

  it('adds what clients require and a vendor omits, and no other byte', () => {
    const plan = upstream.native?.(inboundOf({ input: 'a' }), { contents: [], extra }, createProfile('moderations'));
    expect(plan?.addToResponse?.(body)).to.deep.equal([
      { member: 'results', value: [{ flagged: true, ...body.results[0] }] },
    ]);
    expect(plan?.addToResponse?.({ results: [{ flagged: false, categories: {} }] })).to.deep.equal([]);
  });

  it('writes what was read, with an id and a model where the vendor has none', () => {
    const read = upstream.decodeResponse({ results: body.results }, createReadContext());
    const written = client.encodeResponse(read, createWriteContext<'moderate'>({ contents: [], extra }));
    expect(written).to.deep.include({ model: 'unknown', results: [{ flagged: true, ...body.results[0] }] });
    expect((written as { id: string }).id).to.match(/^modr-/);
  });

  it('rejects a body without results, and reads an error in a 200', () => {
    const read = (value: unknown) => () => upstream.decodeResponse(value, createReadContext());
    expect(read({ results: [] })).to.throw('has no results');
    expect(read([])).to.throw('is not a JSON object');
    expect(read({ error: { message: 'Overloaded', type: 'server_error' } })).to.throw('Overloaded');
  });
});
