import { type Anthropic, NotFoundError } from '@anthropic-ai/sdk';
import type { GoogleGenAI } from '@google/genai';
import { expect } from 'chai';
import type OpenAI from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createGoogleClient } from '../../matrix/clients/client-google.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { KEY } from '../../support/gateway.ts';
import { CLAUDE, GEMINI, GPT, LOCAL, SIMULATOR, startOperations, type Operations } from './operations.ts';
import { answerJson, type UpstreamCall } from '../../support/upstream.ts';

/** What each vendor answers at its counting endpoint. */
const answers: Readonly<Record<string, object>> = {
  '/v1/messages/count_tokens': { input_tokens: 14, vendor_extra: 1 },
  '/v1/responses/input_tokens': { object: 'response.input_tokens', input_tokens: 15 },
  '/v1beta/models/gemini-2.5-flash:countTokens': {
    totalTokens: 16,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 16 }],
  },
};
const tool: Anthropic.Tool = {
  name: 'get_weather',
  description: 'Gets the weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const prompt = { system: 'Be brief.', messages: [{ role: 'user' as const, content: 'Hello' }], tools: [tool] };

describe('token counting', () => {
  let scene: Operations;
  let anthropic: Anthropic;
  let openai: OpenAI;
  let google: GoogleGenAI;
  before(async () => {
    scene = await startOperations();
    anthropic = createMessagesClient(scene.gateway.url);
    openai = createChatClient(scene.gateway.url);
    google = createGoogleClient(scene.gateway.url);
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response, { path }) =>
      answerJson(response, answers[path] ?? {}, path in answers ? 200 : 404);
  });
  after(() => scene.stop());

  const lastCall = (): UpstreamCall => {
    const call = scene.upstream.calls.at(-1);
    if (call === undefined) throw new Error('the provider was not called');
    return call;
  };

  describe('with the Anthropic SDK', () => {
    it("counts of tokens at Anthropic are the vendor's own, with the client's bytes", async () => {
      const { data, response } = await anthropic.messages.countTokens({ model: CLAUDE, ...prompt }).withResponse();
      expect(data).to.deep.equal({ input_tokens: 14, vendor_extra: 1 });
      expect(lastCall().path).to.equal('/v1/messages/count_tokens');
      expect(lastCall().body).to.deep.equal({ model: 'claude-sonnet-4-5', ...prompt });
      expect(lastCall().headers).to.include({ 'x-api-key': 'upstream-secret', 'anthropic-version': '2026-10-21' });
      expect(response.headers.get('x-koine-lane')).to.equal('native');
      expect(response.headers.get('x-koine-estimated')).to.equal(null);
    });

    it('countTokens sends the beta header and its members to Anthropic', async () => {
      await anthropic.beta.messages.countTokens({
        model: CLAUDE,
        ...prompt,
        betas: ['context-management-2025-06-27'],
        context_management: { edits: [] },
      });
      expect(lastCall().headers['anthropic-beta']).to.include('context-management-2025-06-27');
      expect(lastCall().body).to.have.property('context_management');
    });

    it('countTokens is served by OpenAI for an OpenAI model', async () => {
      const { data, response } = await anthropic.messages.countTokens({ model: GPT, ...prompt }).withResponse();
      expect(data).to.deep.equal({ input_tokens: 15 });
      expect(lastCall().path).to.equal('/v1/responses/input_tokens');
      expect(lastCall().body).to.have.all.keys('model', 'instructions', 'input', 'tools');
      expect(lastCall().body).to.include({ model: 'gpt-4.1-mini', instructions: 'Be brief.' });
      expect(response.headers.get('x-koine-losses')).to.equal(null);
    });

    it('countTokens is served by Google for a Google model', async () => {
      const { data, response } = await anthropic.messages.countTokens({ model: GEMINI, ...prompt }).withResponse();
      expect(data).to.deep.equal({ input_tokens: 16 });
      const { generateContentRequest: whole } = lastCall().body as {
        readonly generateContentRequest: Readonly<Record<string, unknown>>;
      };
      expect(whole)
        .to.include.all.keys('contents', 'systemInstruction', 'tools')
        .and.include({ model: 'models/gemini-2.5-flash' });
      expect(response.headers.get('x-koine-losses')).to.equal(null);
    });

    it('countTokens is estimated and marked as such if the server cannot count', async () => {
      const { data, response } = await anthropic.messages.countTokens({ model: LOCAL, ...prompt }).withResponse();
      expect(data.input_tokens).to.be.above(10);
      expect(response.headers.get('x-koine-estimated')).to.equal('input_tokens');
      expect(scene.upstream.calls).to.have.lengthOf(0);
    });

    it('countTokens returns the error of the vendor', async () => {
      scene.upstream.answer = (response) =>
        answerJson(
          response,
          { type: 'error', error: { type: 'not_found_error', message: 'model: claude-does-not-exist' } },
          404,
        );
      const thrown = await anthropic.messages
        .countTokens({ model: CLAUDE, ...prompt })
        .catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(NotFoundError);
    });

    it('countTokens costs nothing', async () => {
      const before = scene.gateway.exchanges().length;
      await anthropic.messages.countTokens({ model: CLAUDE, ...prompt });
      await scene.gateway.settled(before + 1);
      expect(scene.gateway.exchanges().at(-1))
        .to.include({ operation: 'count-tokens', status: 200 })
        .and.not.have.property('tokens_in');
    });
  });

  describe('with the Google SDK', () => {
    it("counts of tokens at Google are the vendor's own, with the client's bytes", async () => {
      const { totalTokens } = await google.models.countTokens({ model: GEMINI, contents: 'Hello' });
      expect(totalTokens).to.equal(16);
      expect(lastCall().path).to.equal('/v1beta/models/gemini-2.5-flash:countTokens');
      expect(lastCall().body).to.deep.equal({ contents: [{ parts: [{ text: 'Hello' }], role: 'user' }] });
    });

    it('countTokens of the Google SDK is served by the provider of the model', async () => {
      expect((await google.models.countTokens({ model: CLAUDE, contents: 'Hello' })).totalTokens).to.equal(14);
      expect(lastCall().body).to.deep.equal({
        model: 'claude-sonnet-4-5',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      });
      expect((await google.models.countTokens({ model: GPT, contents: 'Hello' })).totalTokens).to.equal(15);
    });

    it('countTokens of the Google SDK accepts a whole generateContentRequest', async () => {
      const body = {
        generateContentRequest: {
          model: `models/${GEMINI}`,
          contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
          systemInstruction: { parts: [{ text: 'Be brief.' }] },
        },
      };
      const response = await fetch(`${scene.gateway.url}/v1beta/models/${GEMINI}:countTokens`, {
        method: 'POST',
        headers: { 'x-goog-api-key': KEY },
        body: JSON.stringify(body),
      });
      expect(await response.json()).to.deep.equal(answers['/v1beta/models/gemini-2.5-flash:countTokens']);
      expect(lastCall().body).to.deep.equal({
        generateContentRequest: { ...body.generateContentRequest, model: 'models/gemini-2.5-flash' },
      });
    });
  });

  describe('with the OpenAI SDK', () => {
    it("counts of tokens at OpenAI are the vendor's own, with the client's bytes", async () => {
      const { data, response } = await openai.responses.inputTokens
        .count({ model: GPT, input: 'Hello', instructions: 'Be brief.' })
        .withResponse();
      expect(data).to.deep.equal({ object: 'response.input_tokens', input_tokens: 15 });
      expect(lastCall().body).to.deep.equal({ model: 'gpt-4.1-mini', input: 'Hello', instructions: 'Be brief.' });
      expect(response.headers.get('x-koine-lane')).to.equal('native');
    });

    it('responses.inputTokens.count is served by the provider of the model', async () => {
      expect((await openai.responses.inputTokens.count({ model: CLAUDE, input: 'Hello' })).input_tokens).to.equal(14);
      expect((await openai.responses.inputTokens.count({ model: GEMINI, input: 'Hello' })).input_tokens).to.equal(16);
    });
  });

  it('the simulator counts the same for every wire', async () => {
    const content = 'Good morning to you!';
    expect(
      (await anthropic.messages.countTokens({ model: SIMULATOR, messages: [{ role: 'user', content }] })).input_tokens,
    ).to.equal(5);
    expect((await google.models.countTokens({ model: SIMULATOR, contents: content })).totalTokens).to.equal(5);
    expect((await openai.responses.inputTokens.count({ model: SIMULATOR, input: content })).input_tokens).to.equal(5);
  });
});
