import Anthropic, { RateLimitError as AnthropicRateLimitError } from '@anthropic-ai/sdk';
import { ApiError } from '@google/genai';
import { expect } from 'chai';
import OpenAI, { RateLimitError } from 'openai';
import type { ErrorDetails } from '../../../core/api/index.ts';
import { createGoogleClient } from '../../matrix/clients/client-google.ts';
import { createLimitError, figures, startGate, type Gate } from '../limits/gate.ts';
import { KEY } from '../../support/gateway.ts';
import type { Scene } from '../../support/scene.ts';

const model = 'simulator/chat';
const messages = [{ role: 'user' as const, content: 'Hello' }];

describe('limits seen through SDKs', () => {
  let scene: Scene;
  let gate: Gate;
  let asked: number;
  before(async () => {
    ({ scene, gate } = await startGate());
  });
  after(() => scene.stop());
  beforeEach(() => {
    asked = 0;
  });

  /** Refuses everything, and counts how often it had to. */
  const refuse = (details: ErrorDetails): void => {
    gate.admit = () => {
      asked += 1;
      throw createLimitError(details);
    };
  };
  const spent: ErrorDetails = { failure: 'quota', retryAfterMs: 86_400_000 };
  const openai = (): OpenAI =>
    new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 2, timeout: 20_000 });
  const anthropic = (maxRetries = 2): Anthropic =>
    new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries, timeout: 20_000 });

  const fail = async (call: () => PromiseLike<unknown>): Promise<unknown> => {
    try {
      await call();
    } catch (thrown) {
      return thrown;
    }
    throw new Error('the call was not refused');
  };

  const openaiCalls: Readonly<Record<string, (client: OpenAI) => PromiseLike<unknown>>> = {
    'a chat': (client) => client.chat.completions.create({ model, messages }),
    'a streamed chat': (client) => client.chat.completions.create({ model, messages, stream: true }),
    'a response': (client) => client.responses.create({ model, input: 'Hello' }),
    'embeddings': (client) => client.embeddings.create({ model, input: 'Hello' }),
  };
  for (const [what, call] of Object.entries(openaiCalls)) {
    it(`OpenAI’s SDK raises RateLimitError for ${what}, and does not retry a spent budget`, async () => {
      refuse(spent);
      const error = (await fail(() => call(openai()))) as RateLimitError;
      expect(error).to.be.instanceOf(RateLimitError);
      expect(error).to.include({ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' });
      expect(error.message).to.include('Rate limit exceeded: 60 requests per 1m');
      expect([
        error.headers.get('retry-after'),
        error.headers.get('retry-after-ms'),
        error.headers.get('x-ratelimit-remaining-requests'),
      ]).to.deep.equal(['86400', '86400000', '0']);
      expect(asked).to.equal(1);
    });

    it(`OpenAI’s SDK waits for ${what} as long as the response says`, async () => {
      refuse({ retryAfterMs: 1 });
      expect(await fail(() => call(openai()))).to.be.instanceOf(RateLimitError);
      expect(asked).to.equal(3);
    });
  }

  const anthropicCalls: Readonly<Record<string, (client: Anthropic) => PromiseLike<unknown>>> = {
    'a message': (client) => client.messages.create({ model, messages, max_tokens: 5 }),
    'a streamed message': (client) => client.messages.create({ model, messages, max_tokens: 5, stream: true }),
    'a count of tokens': (client) => client.messages.countTokens({ model, messages }),
  };
  for (const [what, call] of Object.entries(anthropicCalls)) {
    it(`Anthropic’s SDK raises RateLimitError for ${what}, and does not retry a spent budget`, async () => {
      refuse(spent);
      const error = (await fail(() => call(anthropic()))) as AnthropicRateLimitError;
      expect(error).to.be.instanceOf(AnthropicRateLimitError);
      expect(error).to.include({ status: 429 });
      expect(error.message).to.include('Rate limit exceeded: 60 requests per 1m');
      expect([
        error.headers?.get('retry-after'),
        error.headers?.get('anthropic-ratelimit-requests-remaining'),
        error.headers?.get('anthropic-ratelimit-requests-reset'),
      ]).to.deep.equal(['86400', '0', '2026-11-21T06:00:01Z']);
      expect(asked).to.equal(1);
    });
  }

  it('Anthropic’s SDK retries if nothing forbids it', async () => {
    gate.admit = () => {
      asked += 1;
      if (asked > 1) return { limits: figures };
      throw createLimitError({ retryAfterMs: 1 });
    };
    await anthropic(1).messages.create({ model, messages, max_tokens: 5 });
    expect(asked).to.equal(2);
  });

  it('Google’s SDK raises ApiError with the limit, and does not retry', async () => {
    refuse(spent);
    const client = createGoogleClient(scene.gateway.url);
    for (const call of [
      () => client.models.generateContent({ model, contents: 'Hello' }),
      () => client.models.generateContentStream({ model, contents: 'Hello' }),
      () => client.models.countTokens({ model, contents: 'Hello' }),
      () => client.models.embedContent({ model, contents: 'Hello' }),
    ]) {
      asked = 0;
      const error = (await fail(call)) as ApiError;
      expect(error).to.be.instanceOf(ApiError);
      expect(error.status).to.equal(429);
      expect(error.message)
        .to.include('RESOURCE_EXHAUSTED')
        .and.include('key;requests;1m')
        .and.include('"retryDelay":"86400s"');
      expect(asked).to.equal(1);
    }
  });
});
