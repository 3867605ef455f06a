import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages';
import type { CountTokensParameters } from '@google/genai';
import type { InputTokenCountParams } from 'openai/resources/responses/input-tokens';
import { responseText, type CorpusLine, type Json } from '../lines.ts';
import { anthropicAt, googleAt, openaiAt } from '../sdk.ts';
import { asIs, nameModel, type CorpusOperation, type WireAdapter } from '../wire-adapter.ts';

const wires = ['messages', 'responses', 'generate-content'] as const;
export type CountingWire = (typeof wires)[number];

/** The tokens of a prompt. */
type Count = number | undefined;

const countOf = ({ response: { body = {} } }: CorpusLine): Count => Number(body['input_tokens'] ?? body['totalTokens']);

const messages: WireAdapter<Count> = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  path: () => '/v1/messages/count_tokens',
  forModel: nameModel,
  minimal: () => ({ messages: [{ role: 'user', content: 'Hello' }] }),
  sample: () => JSON.stringify({ object: 'response.input_tokens', input_tokens: 1, totalTokens: 1 }),
  read: countOf,
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    (await anthropicAt(url).messages.countTokens({ ...body, model } as unknown as MessageCountTokensParams))
      .input_tokens,
};

const responses: WireAdapter<Count> = {
  provider: 'openai',
  model: 'gpt-4.1',
  path: () => '/v1/responses/input_tokens',
  forModel: nameModel,
  minimal: () => ({ input: 'Hello' }),
  sample: () => JSON.stringify({ object: 'response.input_tokens', input_tokens: 1, totalTokens: 1 }),
  read: countOf,
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    (await openaiAt(url).responses.inputTokens.count({ ...body, model } as unknown as InputTokenCountParams))
      .input_tokens,
};

/** This SDK counts contents only. */
const contentsOf = (body: Json): CountTokensParameters['contents'] =>
  ((body['generateContentRequest'] ?? body) as { readonly contents: CountTokensParameters['contents'] }).contents;

const generateContent: WireAdapter<Count> = {
  provider: 'google',
  model: 'gemini-2.5-flash',
  path: (model) => `/v1beta/models/${model}:countTokens`,
  forModel: asIs,
  minimal: () => ({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }),
  sample: () => JSON.stringify({ object: 'response.input_tokens', input_tokens: 1, totalTokens: 1 }),
  read: countOf,
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    (await googleAt(url).models.countTokens({ model, contents: contentsOf(body) })).totalTokens,
};

export const counting: CorpusOperation<CountingWire, Count> = {
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

/** The wire of a recorded count; undefined for other lines and for vendors without a provider. */
export const wireOfCount = ({ style, provider }: CorpusLine): CountingWire | undefined => {
  if (style === 'anthropic-count-tokens' && provider === 'anthropic') return 'messages';
  if (style === 'openai-responses-input_tokens') return 'responses';
  return style === 'gemini-count-tokens' ? 'generate-content' : undefined;
};
