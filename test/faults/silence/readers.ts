import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { KEY } from '../../support/gateway.ts';
import type { Wire } from '../../matrix/wires.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];

/**
 * The text and the finish reason of a stream, by each SDK with its defaults: only the address and the key are set.
 */
export const readers: Readonly<Record<Wire, (url: string, model: string) => Promise<string>>> = {
  chat: async (url, model) => {
    let said = '';
    for await (const { choices } of await new OpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat.completions.create({
      model,
      messages,
      stream: true,
    }))
      said += `${choices[0]?.delta.content ?? ''}${choices[0]?.finish_reason ?? ''}`;
    return said;
  },
  responses: async (url, model) => {
    let said = '';
    for await (const event of await new OpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).responses.create({
      model,
      input: 'Hello',
      stream: true,
    })) {
      if (event.type === 'response.output_text.delta') said += event.delta;
      if (event.type === 'response.completed' || event.type === 'response.failed') said += event.response.status;
    }
    return said;
  },
  messages: async (url, model) => {
    let said = '';
    for await (const event of await new Anthropic({ apiKey: KEY, baseURL: url }).messages.create({
      model,
      max_tokens: 100,
      messages,
      stream: true,
    })) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') said += event.delta.text;
      if (event.type === 'message_delta') said += event.delta.stop_reason;
    }
    return said;
  },
  google: async (url, model) => {
    let said = '';
    for await (const { text, candidates } of await new GoogleGenAI({
      apiKey: KEY,
      httpOptions: { baseUrl: url },
    }).models.generateContentStream({ model, contents: 'Hello' }))
      said += `${text ?? ''}${candidates?.[0]?.finishReason ?? ''}`;
    return said;
  },
};
