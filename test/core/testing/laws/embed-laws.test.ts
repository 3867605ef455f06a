import { expect } from 'chai';
import type { ClientSide, Codec, UpstreamSide } from '../../../../core/api/codec.ts';
import { embedLaws, type Recording } from '../../../../core/testing/index.ts';
import { embeddingsCodec } from '../../../../providers/openai/embeddings/index.ts';

const { client, upstream } = embeddingsCodec;
if (client === undefined || upstream === undefined) throw new Error('the codec under test has both sides');

const recordings: readonly Recording[] = [
  {
    name: 'plain',
    origin: 'written by hand after https://platform.openai.com/docs/api-reference/embeddings',
    wire: 'embeddings',
    request: { body: { model: 'text-embedding-3-small', input: ['Hello', 'World'], dimensions: 3, user: 'u' } },
    response: {
      status: 200,
      body: {
        object: 'list',
        data: [
          { index: 1, embedding: [0, 1, 0] },
          { index: 0, embedding: [1, 0, 0] },
        ],
        model: 'm',
        usage: { prompt_tokens: 2, total_tokens: 2 },
      },
    },
    expected: {
      model: 'm',
      vectors: [
        [1, 0, 0],
        [0, 1, 0],
      ],
      dimensions: 3,
      usage: { inputUncached: 2 },
    },
  },
  { name: 'foreign', origin: 'written by hand', wire: 'elsewhere', request: { body: null } },
];

const brokenLaws = async (codec: Codec<'embed'>): Promise<readonly string[]> => {
  const broken: string[] = [];
  for (const { name, run } of embedLaws(codec, recordings)) {
    try {
      await run();
    } catch {
      broken.push(name.replace('embeddings: ', ''));
    }
  }
  return broken;
};
const withClient = (change: Partial<ClientSide<'embed'>>): Codec<'embed'> => ({
  ...embeddingsCodec,
  client: { ...client, ...change },
});
const withUpstream = (change: Partial<UpstreamSide<'embed'>>): Codec<'embed'> => ({
  ...embeddingsCodec,
  upstream: { ...upstream, ...change },
});

describe('the laws of embeddings', () => {
  it('the embed laws pass for a correct codec', async () => {
    expect(await brokenLaws(embeddingsCodec)).to.deep.equal([]);
  });
  it('the embed laws ignore recordings of other wires', () => {
    expect(embedLaws(embeddingsCodec, recordings).some(({ name }) => name.includes('foreign'))).to.equal(false);
  });

  const defects: readonly (readonly [defect: string, codec: Codec<'embed'>, law: string])[] = [
    [
      'dimensions that are not written',
      withUpstream({
        encodeRequest: ({ dimensions: _dimensions, ...request }, profile, lose) =>
          upstream.encodeRequest(request, profile, lose),
      }),
      'a round trip preserves the request of plain',
    ],
    [
      'a field that is neither read nor named',
      withUpstream({ encodeRequest: ({ inputs }) => ({ body: { input: inputs }, headers: {} }) }),
      'reads or names every field of a request with dimensions',
    ],
    [
      'losses of another wire that are not named',
      withUpstream({ encodeRequest: (request, profile) => upstream.encodeRequest(request, profile, () => undefined) }),
      'reads or names every field of a request with members of another wire',
    ],
    [
      'members that are forgotten',
      withClient({
        decodeRequest: (inbound) => {
          const { model, request } = client.decodeRequest(inbound);
          return { model, request: { ...request, extra: { wire: 'embeddings', members: {} } } };
        },
      }),
      'keeps an unknown member in the request of plain',
    ],
    [
      'an input that is lost',
      withClient({
        decodeRequest: (inbound) => {
          const { model, request } = client.decodeRequest(inbound);
          return { model, request: { ...request, inputs: request.inputs.slice(0, 1) } };
        },
      }),
      'keeps every text of the request of plain',
    ],
    [
      'a TypeError on odd input',
      withClient({
        decodeRequest: (inbound) => {
          void (inbound.body as { input: string[] }).input.map((text) => text.trim());
          return client.decodeRequest(inbound);
        },
      }),
      'refuses junk in the request of plain',
    ],
    [
      'vectors out of order',
      withClient({
        encodeResponse: (response, context) =>
          client.encodeResponse({ ...response, vectors: response.vectors.toReversed() }, context),
      }),
      'a round trip preserves a response with 2 vectors',
    ],
    [
      'an encoding that is off',
      withClient({
        encodeResponse: (response, context) =>
          client.encodeResponse(
            context.request.encoding === 'base64'
              ? { ...response, vectors: response.vectors.map((vector) => vector.map((value) => value * 2)) }
              : response,
            context,
          ),
      }),
      'a round trip preserves the response of plain',
    ],
    [
      'a count that is negative',
      withUpstream({
        decodeResponse: (body, context) => ({
          ...upstream.decodeResponse(body, context),
          usage: {
            inputUncached: -1,
            cacheRead: 0,
            cacheWrite5m: 0,
            cacheWrite1h: 0,
            output: 0,
            reasoning: 0,
            source: 'provider',
          },
        }),
      }),
      'decodes the response of plain as expected',
    ],
    [
      'an answer that is read without looking',
      withUpstream({
        decodeResponse: (body) => ({
          vectors: (body as { data: { embedding: number[] }[] }).data.map(({ embedding }) =>
            Float32Array.from(embedding),
          ),
        }),
      }),
      'refuses junk in the response of plain',
    ],
    [
      'vectors of nothing',
      withUpstream({
        decodeResponse: (body, context) => {
          const response = upstream.decodeResponse(body, context);
          return { ...response, vectors: response.vectors.map((vector) => vector.map(() => 0)) };
        },
      }),
      'decodes the response of plain as expected',
    ],
    [
      'an error that changes sides',
      withClient({ encodeError: (error, context) => ({ ...client.encodeError(error, context), status: 500 }) }),
      'reads errors with unexpected bodies',
    ],
  ];
  for (const [defect, codec, law] of defects) {
    it(`the embed laws detect ${defect}`, async () => {
      expect(await brokenLaws(codec)).to.include(law);
    });
  }
});
