import { expect } from 'chai';
import type { EmbedRequest, JsonObject } from '../../../../../core/api/index.ts';
import { createProfile } from '../../../../../core/testing/index.ts';
import { selectMethod } from '../../../../../providers/google/embed-content/method.ts';
import { content, decode, encode, inboundOf, native, refusal } from '../exchange.ts';

const name = 'models/gemini-embedding-001';
const openai = (members: Partial<EmbedRequest>): EmbedRequest => ({
  inputs: ['Hello'],
  encoding: 'base64',
  extra: { wire: 'embeddings', members: {} },
  ...members,
});

describe('embed-content: requests to a provider', () => {
  it('sends a batch with one request for each input', () => {
    expect(encode(openai({ inputs: ['Hello', 'World'], dimensions: 256 }))).to.deep.equal({
      body: {
        requests: [
          { model: name, ...content('Hello'), outputDimensionality: 256 },
          { model: name, ...content('World'), outputDimensionality: 256 },
        ],
      },
      losses: [],
    });
  });

  it('E47 rejects token ids, which mean something else to another model', () => {
    for (const inputs of [[[1, 2]], ['a', [1]]]) {
      expect(refusal(() => encode(openai({ inputs })))).to.include({
        code: 'unsupported_parameter',
        status: 400,
        failure: 'unsuitable',
        param: 'input',
      });
    }
  });

  it('names the extra members of other wires as lost', () => {
    expect(encode(openai({ extra: { wire: 'embeddings', members: { user: 'u' } } })).losses).to.deep.equal([
      { field: 'user', kind: 'dropped', detail: 'embed-content has no such member' },
    ]);
  });

  const bodies: Readonly<Record<string, JsonObject>> = {
    'one content': { ...content('a'), taskType: 'RETRIEVAL_DOCUMENT', title: 'T', outputDimensionality: 64 },
    'a batch of like requests': {
      requests: [
        { ...content('a'), taskType: 'CLUSTERING' },
        { ...content('b'), taskType: 'CLUSTERING' },
      ],
      extra: { a: 1 },
    },
    'a batch of unlike requests': {
      requests: [
        { ...content('a'), title: 'one', outputDimensionality: 64 },
        { content: { parts: [{ text: 'b' }], kind: 'odd' }, outputDimensionality: 128 },
      ],
    },
  };
  for (const [what, body] of Object.entries(bodies)) {
    it(`restores ${what} on its own wire`, () => {
      const listed = (body['requests'] as readonly JsonObject[] | undefined) ?? [body];
      const { requests: _requests, ...others } = 'requests' in body ? body : {};
      expect(encode(decode(body))).to.deep.equal({
        body: { ...others, requests: listed.map((request) => ({ model: name, ...request })) },
        losses: [],
      });
    });
  }

  it("writes the target's model into a batch that names another one than the path", () => {
    const batch = { model: 'models/another', requests: [{ model: 'models/another', ...content('a') }] };
    expect(encode(decode(batch))).to.deep.equal({
      body: { requests: [{ model: name, ...content('a') }] },
      losses: [],
    });
  });

  it('names the extra members of parts that were joined as lost', () => {
    const { body, losses } = encode(decode({ content: { parts: [{ text: 'a' }, { text: 'b', odd: 1 }] } }));
    expect(body).to.deep.equal({ requests: [{ model: name, ...content('a\nb') }] });
    expect(losses.map(({ field, kind }) => `${field};${kind}`)).to.deep.equal(['content.parts[1].odd;dropped']);
  });
});

describe('embed-content: the native lane', () => {
  const editsOf = (body: JsonObject) =>
    native(inboundOf(body), decode(body), { ...createProfile('embed-content'), model: 'gemini-embedding-001' })?.edits;

  it("keeps the client's bytes if they name no other model", () => {
    expect(editsOf(content('a'))).to.deep.equal([]);
    expect(editsOf({ requests: [{ model: name, ...content('a') }] })).to.deep.equal([]);
  });

  it("writes the target's model into every request that needs it", () => {
    expect(editsOf({ model: 'models/google/g', ...content('a') })).to.deep.equal([{ member: 'model', value: name }]);
    expect(
      editsOf({ requests: [{ model: 'models/google/g', ...content('a'), title: 'T' }, content('b')] }),
    ).to.deep.equal([
      {
        member: 'requests',
        value: [
          { model: name, ...content('a'), title: 'T' },
          { ...content('b'), model: name },
        ],
      },
    ]);
  });

  const methods: readonly (readonly [text: string, method: string])[] = [
    ['{"requests":[]}', 'batchEmbedContents'],
    [' { "requests" : [] }', 'batchEmbedContents'],
    ['{"extra":1,"requests":[]}', 'batchEmbedContents'],
    ['{"content":{"parts":[{"text":"requests"}]}}', 'embedContent'],
    ['{"title":"\\"requests\\":","content":{"requests":[]}}', 'embedContent'],
  ];
  for (const [text, method] of methods)
    it(`selects ${method} for ${text}`, () => expect(selectMethod(Buffer.from(text))).to.equal(method));
});
