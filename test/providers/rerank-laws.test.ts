import { expect } from 'chai';
import { plainLaws, sampleRerankRequests, type Recording } from '../../core/testing/index.ts';
import { rerankCodec as bedrockCodec } from '../../providers/bedrock/rerank/index.ts';
import { rerankCodec as cohereCodec } from '../../providers/cohere/rerank/index.ts';
import { rerankCodec as jinaCodec } from '../../providers/openai-compatible/rerank/index.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../core/testing/next-corpus.ts';
import { testLaws } from '../core/testing/test-laws.ts';

const documents = ['Ruby is a programming language', 'Paris is in France', 'Rails is a Ruby framework'];

const cohere: Recording = {
  name: 'documents',
  origin: 'written by hand after https://docs.cohere.com/reference/rerank',
  wire: 'cohere-rerank',
  request: { body: { model: 'rerank-v3.5', query: 'ruby', documents, top_n: 2, max_tokens_per_doc: 512 } },
  response: {
    status: 200,
    body: {
      id: '9ca94863-3776-45e7-92fc-42a927df30cd',
      results: [
        { index: 0, relevance_score: 0.75809944 },
        { index: 2, relevance_score: 0.5515985 },
      ],
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    },
  },
  expected: {
    results: [
      { index: 0, score: 0.75809944 },
      { index: 2, score: 0.5515985 },
    ],
    usage: { units: { searches: 1 } },
  },
};
const jina: Recording = {
  name: 'documents',
  origin: 'written by hand after https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
  wire: 'rerank',
  request: { body: { model: 'jina-reranker-v2', query: 'ruby', documents, top_n: 1, return_documents: true } },
  response: {
    status: 200,
    body: {
      object: 'list',
      model: 'jina-reranker-v2',
      results: [{ index: 2, relevance_score: 0.5, document: { text: documents[2] } }],
      usage: { total_tokens: 31, prompt_tokens: 31 },
    },
  },
  expected: {
    model: 'jina-reranker-v2',
    results: [{ index: 2, score: 0.5 }],
    usage: { inputUncached: 31 },
  },
};
/** `InvokeModel` of Cohere's model, which reports no usage. */
const bedrock: Recording = {
  name: 'documents',
  origin: 'written by hand after https://docs.cohere.com/docs/amazon-bedrock',
  wire: 'bedrock-rerank',
  response: {
    status: 200,
    body: {
      results: [
        { index: 2, relevance_score: 0.8742601 },
        { index: 0, relevance_score: 0.1728413 },
      ],
    },
  },
  expected: {
    results: [
      { index: 2, score: 0.8742601 },
      { index: 0, score: 0.1728413 },
    ],
  },
};

const lines = readNextLines('rerank.jsonl');
const ofVendor = (name: string) => lines.filter(({ vendor }) => vendor === name);
/** The other recordings of Bedrock are of its second API. */
const invoked = ofVendor('bedrock').filter(({ request }) => request?.path.endsWith('/invoke'));

describe('laws of the codecs that rerank', () => {
  testLaws(
    plainLaws(cohereCodec, [cohere, ...ofVendor('cohere').map((line) => asRecording(line, 'cohere-rerank'))], {
      samples: sampleRerankRequests('cohere-rerank'),
    }),
  );
  testLaws(
    plainLaws(jinaCodec, [jina, ...ofVendor('voyage').map((line) => asRecording(line, 'rerank'))], {
      samples: sampleRerankRequests('rerank'),
    }),
  );
  testLaws(
    plainLaws(bedrockCodec, [bedrock, ...invoked.map((line) => asRecording(line, 'bedrock-rerank'))], {
      samples: sampleRerankRequests('bedrock-rerank'),
    }),
  );

  it('there is recorded traffic of each', function () {
    if (!hasNextCorpus) this.skip();
    expect([ofVendor('cohere').length, ofVendor('voyage').length, invoked.length]).to.deep.equal([6, 3, 1]);
  });
});
