import { expect } from 'chai';
import type { GoogleGenAI } from '@google/genai';
import OpenAI, { BadRequestError, RateLimitError } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createGoogleClient } from '../../matrix/clients/client-google.ts';
import { KEY } from '../../support/gateway.ts';
import { GOOGLE, LOCAL, OPENAI, SIMULATOR, startOperations, type Operations } from './operations.ts';
import { answerJson, type UpstreamCall } from '../../support/upstream.ts';

const vectorOf = (index: number): readonly number[] => [index + 0.5, -0.25, 0.1];
const float = (values: readonly number[]): readonly number[] => [...Float32Array.from(values)];
const base64 = (values: readonly number[]): string => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
};

/** A text, or a list of token ids, is one input. */
const inputsOf = ({ body: { input } }: UpstreamCall): readonly unknown[] =>
  Array.isArray(input) && typeof input[0] !== 'number' ? (input as readonly unknown[]) : [input];
/** OpenAI, as it answers: in the encoding asked for, with a member that the gateway does not know. */
const openaiAnswer = (call: UpstreamCall): object => ({
  object: 'list',
  data: inputsOf(call).map((_, index) => ({
    object: 'embedding',
    index,
    embedding: call.body['encoding_format'] === 'base64' ? base64(vectorOf(index)) : vectorOf(index),
  })),
  model: 'text-embedding-3-small-v2',
  usage: { prompt_tokens: 8, total_tokens: 8 },
  vendor_extra: { a: 1 },
});
const googleAnswer = ({ body, path }: UpstreamCall): object =>
  path.endsWith(':embedContent')
    ? { embedding: { values: vectorOf(0) }, usageMetadata: { promptTokenCount: 3 } }
    : {
        embeddings: (body['requests'] as readonly unknown[]).map((_, index) => ({ values: vectorOf(index) })),
        usageMetadata: { promptTokenCount: 9 },
      };

describe('embeddings', () => {
  let scene: Operations;
  let openai: OpenAI;
  let google: GoogleGenAI;
  before(async () => {
    scene = await startOperations();
    openai = createChatClient(scene.gateway.url);
    google = createGoogleClient(scene.gateway.url);
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response, call) =>
      answerJson(response, call.path.includes('/v1beta/') ? googleAnswer(call) : openaiAnswer(call));
  });
  after(() => scene.stop());

  const lastCall = (): UpstreamCall => {
    const call = scene.upstream.calls.at(-1);
    if (call === undefined) throw new Error('the provider was not called');
    return call;
  };
  const post = (path: string, body: object): Promise<Response> =>
    fetch(scene.gateway.url + path, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  describe('from the OpenAI SDK to OpenAI', () => {
    it('the OpenAI SDK requests base64 by default and decodes the vendor’s vectors', async () => {
      const { data, response } = await openai.embeddings
        .create({ model: OPENAI, input: ['Hello', 'World'] })
        .withResponse();
      expect(lastCall().body).to.deep.equal({
        model: 'text-embedding-3-small',
        input: ['Hello', 'World'],
        encoding_format: 'base64',
      });
      expect(lastCall().path).to.equal('/v1/embeddings');
      expect(lastCall().headers['authorization']).to.equal('Bearer upstream-secret');
      expect(data.data.map(({ embedding }) => [...embedding])).to.deep.equal([float(vectorOf(0)), float(vectorOf(1))]);
      expect(data).to.deep.include({
        model: 'text-embedding-3-small-v2',
        usage: { prompt_tokens: 8, total_tokens: 8 },
      });
      expect(response.headers.get('x-koine-lane')).to.equal('native');
      expect(response.headers.get('x-koine-model')).to.equal(OPENAI);
    });

    it('number vectors are forwarded as the vendor wrote them', async () => {
      const { data } = await openai.embeddings.create({
        model: OPENAI,
        input: 'Hello',
        dimensions: 3,
        encoding_format: 'float',
        user: 'u',
      });
      expect(lastCall().body).to.deep.equal({
        model: 'text-embedding-3-small',
        input: 'Hello',
        dimensions: 3,
        encoding_format: 'float',
        user: 'u',
      });
      expect(data[0]?.embedding).to.deep.equal(vectorOf(0));
    });

    it('only the model changes in a native embedding request, and nothing in its response', async () => {
      const body = `{ "input" : [ "Hello" ],\n "model":"${OPENAI}", "x_unknown": 1e400 , "truncate": null }`;
      const response = await fetch(`${scene.gateway.url}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body,
      });
      expect(lastCall().raw.toString()).to.equal(body.replace(OPENAI, 'text-embedding-3-small'));
      expect(await response.text()).to.equal(JSON.stringify(openaiAnswer(lastCall())));
    });

    it('token ids are accepted', async () => {
      const { data } = await openai.embeddings.create({ model: OPENAI, input: [[9906], [1917]] });
      expect(lastCall().body['input']).to.deep.equal([[9906], [1917]]);
      expect(data).to.have.lengthOf(2);
    });

    it('embeddings are billed by the vendor’s usage', async () => {
      const before = scene.gateway.exchanges().length;
      await openai.embeddings.create({ model: OPENAI, input: 'Hello' });
      await scene.gateway.settled(before + 1);
      expect(scene.gateway.exchanges().at(-1)).to.include({
        operation: 'embed',
        wire_in: 'embeddings',
        wire_out: 'embeddings',
        tokens_in: 8,
        tokens_out: 0,
      });
    });
  });

  describe('from the OpenAI SDK to Google', () => {
    it("E48 reads base64 that the gateway made of the vendor's numbers", async () => {
      const { data, response } = await openai.embeddings
        .create({ model: GOOGLE, input: ['Hello', 'World'], dimensions: 3 })
        .withResponse();
      expect(lastCall().path).to.equal('/v1beta/models/gemini-embedding-001:batchEmbedContents');
      expect(lastCall().body).to.deep.equal({
        requests: ['Hello', 'World'].map((text) => ({
          model: 'models/gemini-embedding-001',
          content: { parts: [{ text }] },
          outputDimensionality: 3,
        })),
      });
      expect(data.data.map(({ index, embedding }) => [index, ...embedding])).to.deep.equal([
        [0, ...float(vectorOf(0))],
        [1, ...float(vectorOf(1))],
      ]);
      expect(data.usage).to.deep.equal({ prompt_tokens: 9, total_tokens: 9 });
      expect(response.headers.get('x-koine-lane')).to.equal('translated');
      expect(response.headers.get('x-koine-losses')).to.equal(null);
    });

    it('E48 base64 vectors are exactly little-endian 32-bit floats', async () => {
      const response = await post('/v1/embeddings', { model: GOOGLE, input: 'Hello', encoding_format: 'base64' });
      const { data } = (await response.json()) as { readonly data: readonly { readonly embedding: string }[] };
      expect(data[0]?.embedding).to.equal(base64(vectorOf(0)));
    });

    it('number vectors are returned on request, and missing usage is estimated', async () => {
      scene.upstream.answer = (response) => answerJson(response, { embeddings: [{ values: vectorOf(0) }] });
      const { data, usage } = await openai.embeddings.create({
        model: GOOGLE,
        input: 'Hello',
        encoding_format: 'float',
      });
      expect(data[0]?.embedding).to.deep.equal(float(vectorOf(0)));
      expect(usage.prompt_tokens).to.be.above(0).and.equal(usage.total_tokens);
    });

    it('losses of an embedding request are named in a header', async () => {
      const { response } = await openai.embeddings.create({ model: GOOGLE, input: 'Hello', user: 'u' }).withResponse();
      expect(response.headers.get('x-koine-losses')).to.equal('user;dropped');
    });

    it('E47 token ids for Google are refused before anything is sent', async () => {
      for (const input of [
        [9906, 1917],
        [[9906], [1917]],
      ]) {
        const thrown = await openai.embeddings.create({ model: GOOGLE, input }).catch((error: unknown) => error);
        expect(thrown).to.be.instanceOf(BadRequestError);
        expect(thrown).to.include({ status: 400, param: 'input', code: 'unsupported_parameter' });
      }
      expect(scene.upstream.calls).to.have.lengthOf(0);
    });

    it('an embedding request fails over to a target that can carry it', async () => {
      const { data, response } = await openai.embeddings
        .create({ model: 'mixed/embed', input: [9906, 1917] })
        .withResponse();
      expect(lastCall().path).to.equal('/v1/embeddings');
      expect(data.data).to.have.lengthOf(1);
      expect(response.headers.get('x-koine-provider')).to.equal('openai');
    });

    it("throws the class of the vendor's error", async () => {
      scene.upstream.answer = (response) =>
        answerJson(response, { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } }, 429);
      const thrown = await new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 }).embeddings
        .create({ model: GOOGLE, input: 'Hello' })
        .catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(RateLimitError);
      expect(thrown).to.have.nested.property('error.type', 'rate_limit_error');
    });
  });

  describe('from the Google SDK to Google', () => {
    it("sends a batch natively, with the vendor's name of the model in it", async () => {
      const { embeddings } = await google.models.embedContent({
        model: GOOGLE,
        contents: ['Hello', 'World'],
        config: { taskType: 'RETRIEVAL_DOCUMENT', title: 'T', outputDimensionality: 3 },
      });
      expect(lastCall().path).to.equal('/v1beta/models/gemini-embedding-001:batchEmbedContents');
      expect(lastCall().headers['x-goog-api-key']).to.equal('upstream-secret');
      const asked = lastCall().body['requests'] as readonly Readonly<Record<string, unknown>>[];
      expect(
        asked.map(({ model, taskType, title, outputDimensionality }) => [model, taskType, title, outputDimensionality]),
      ).to.deep.equal([0, 1].map(() => ['models/gemini-embedding-001', 'RETRIEVAL_DOCUMENT', 'T', 3]));
      expect(embeddings?.map(({ values }) => values)).to.deep.equal([vectorOf(0), vectorOf(1)]);
    });

    it('a single content keeps its form natively', async () => {
      const response = await post(`/v1beta/models/${GOOGLE}:embedContent`, {
        content: { parts: [{ text: 'Hello' }] },
        taskType: 'CLUSTERING',
      });
      expect(lastCall().path).to.equal('/v1beta/models/gemini-embedding-001:embedContent');
      expect(lastCall().body).to.deep.equal({ content: { parts: [{ text: 'Hello' }] }, taskType: 'CLUSTERING' });
      expect(await response.json()).to.deep.equal({
        embedding: { values: vectorOf(0) },
        usageMetadata: { promptTokenCount: 3 },
      });
      expect(response.headers.get('x-koine-lane')).to.equal('native');
    });
  });

  describe('from the Google SDK to OpenAI', () => {
    it('each content gets one vector', async () => {
      const { embeddings } = await google.models.embedContent({
        model: OPENAI,
        contents: ['Hello', 'World'],
        config: { outputDimensionality: 3 },
      });
      expect(lastCall().body).to.deep.equal({
        model: 'text-embedding-3-small',
        input: ['Hello', 'World'],
        dimensions: 3,
      });
      expect(embeddings?.map(({ values }) => values)).to.deep.equal([float(vectorOf(0)), float(vectorOf(1))]);
    });

    it('a single content keeps its form when translated, and losses are named', async () => {
      const response = await post(`/v1beta/models/${OPENAI}:embedContent`, {
        content: { parts: [{ text: 'Hello' }] },
        taskType: 'CLUSTERING',
      });
      expect(await response.json()).to.deep.equal({
        embedding: { values: float(vectorOf(0)) },
        usageMetadata: { promptTokenCount: 8, totalTokenCount: 8 },
      });
      expect(response.headers.get('x-koine-losses')).to.equal('taskType;dropped');
      const batch = await post(`/v1beta/models/${OPENAI}:batchEmbedContents`, {
        requests: [{ content: { parts: [{ text: 'Hello' }] }, title: 'T' }],
      });
      expect(batch.headers.get('x-koine-losses')).to.equal('requests[0].title;dropped');
    });

    it("an embedding request with pictures is refused in the vendor's own shape", async () => {
      const response = await post(`/v1beta/models/${OPENAI}:embedContent`, {
        content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
      });
      expect(response.status).to.equal(400);
      expect(await response.json()).to.have.nested.property('error.status', 'INVALID_ARGUMENT');
      expect(scene.upstream.calls).to.have.lengthOf(0);
    });
  });

  describe('from a compatible server without a key', () => {
    it('a server without a key is called without authorization, at its own address', async () => {
      await openai.embeddings.create({ model: LOCAL, input: 'Hello' });
      expect(lastCall().path).to.equal('/local/v1/embeddings');
      expect(lastCall().headers).to.not.have.property('authorization');
    });

    it('encoding_format null is not sent', async () => {
      await post('/v1/embeddings', { model: LOCAL, input: 'Hello', encoding_format: null });
      expect(lastCall().body).to.deep.equal({ model: 'e5', input: 'Hello' });
    });

    const usage = { prompt_tokens: 2, total_tokens: 2 };
    it('E48 a client that requests base64 gets it from a server that returns numbers', async () => {
      scene.upstream.answer = (response) =>
        answerJson(response, { data: [{ index: 0, embedding: vectorOf(0), extra: true }], model: 'e5', usage });
      const response = await post('/v1/embeddings', { model: LOCAL, input: 'Hello', encoding_format: 'base64' });
      expect(response.headers.get('x-koine-lane')).to.equal('native');
      expect(await response.json()).to.deep.equal({
        data: [{ index: 0, embedding: base64(vectorOf(0)), extra: true }],
        model: 'e5',
        usage,
      });
    });
  });

  it('the simulator serves both embedding wires', async () => {
    const { data } = await openai.embeddings.create({ model: SIMULATOR, input: 'Hello', dimensions: 8 });
    const { embeddings } = await google.models.embedContent({
      model: SIMULATOR,
      contents: 'Hello',
      config: { outputDimensionality: 8 },
    });
    expect([...(data[0]?.embedding ?? [])])
      .to.have.lengthOf(8)
      .and.deep.equal(embeddings?.[0]?.values);
  });
});
