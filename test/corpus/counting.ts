import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages';
import type { CountTokensParameters } from '@google/genai';
import type { InputTokenCountParams } from 'openai/resources/responses/input-tokens';
import { responseText, type CorpusLine, type Json } from './lines.ts';
import { anthropicAt, googleAt, openaiAt } from './sdk.ts';
import { asIs, nameModel, type Ground, type WireCard } from './wire-card.ts';

const wires = ['messages', 'responses', 'generate-content'] as const;
export type CountingWire = (typeof wires)[number];

/** The tokens of a prompt. */
type Count = number | undefined;

const countOf = ({ response: { body = {} } }: CorpusLine): Count => Number(body['input_tokens'] ?? body['totalTokens']);

const messages: WireCard<Count> = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  path: () => '/v1/messages/count_tokens',
  forModel: nameModel,
  smallest: () => ({ messages: [{ role: 'user', content: 'Hello' }] }),
  sample: () => JSON.stringify({ object: 'response.input_tokens', input_tokens: 1, totalTokens: 1 }),
  read: countOf,
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    (await anthropicAt(url).messages.countTokens({ ...body, model } as unknown as MessageCountTokensParams))
      .input_tokens,
};

const responses: WireCard<Count> = {
  provider: 'openai',
  model: 'gpt-4.1',
  path: () => '/v1/responses/input_tokens',
  forModel: nameModel,
  smallest: () => ({ input: 'Hello' }),
  sample: () => JSON.stringify({ object: 'response.input_tokens', input_tokens: 1, totalTokens: 1 }),
  read: countOf,
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    (await openaiAt(url).responses.inputTokens.count({ ...body, model } as unknown as InputTokenCountParams))
      .input_tokens,
};

/** This SDK counts contents alone. */
const contentsOf = (body: Json): CountTokensParameters['contents'] =>
  ((body['generateContentRequest'] ?? body) as { readonly contents: CountTokensParameters['contents'] }).contents;

const generateContent: WireCard<Count> = {
  provider: 'google',
  model: 'gemini-2.5-flash',
  path: (model) => `/v1beta/models/${model}:countTokens`,
  forModel: asIs,
  smallest: () => ({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }),
  sample: () => JSON.stringify({ object: 'response.input_tokens', input_tokens: 1, totalTokens: 1 }),
  read: countOf,
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    (await googleAt(url).models.countTokens({ model, contents: contentsOf(body) })).totalTokens,
};

export const counting: Ground<CountingWire, Count> = {
  cards: { messages, responses, 'generate-content': generateContent },
  wires: wires,
  routes: [
    { path: '/v1/messages/count_tokens', wire: 'messages', operation: 'count-tokens' },
    { path: '/v1/responses/input_tokens', wire: 'responses', operation: 'count-tokens' },
    ...['/v1', '/v1beta'].map((version) => ({
      path: `${version}/models/{model}:countTokens`,
      wire: 'generate-content',
      operation: 'count-tokens',
    })),
  ],
  compare: (got, recorded) => (got === recorded ? undefined : `${got} tokens for ${recorded}`),
  failed: () => false,
};

/** The wire of a recorded count; undefined where it is none, or of a vendor that no provider of ours speaks to yet. */
export const wireOfCount = ({ style, provider }: CorpusLine): CountingWire | undefined => {
  if (style === 'anthropic-count-tokens' && provider === 'anthropic') return 'messages';
  if (style === 'openai-responses-input_tokens') return 'responses';
  return style === 'gemini-count-tokens' ? 'generate-content' : undefined;
};
