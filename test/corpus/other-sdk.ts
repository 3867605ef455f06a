import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import OpenAI from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { KEY } from '../e2e/gateway.ts';
import type { Answer } from './answer.ts';
import { readChatCompletion } from './chat-answer.ts';
import { readMessage } from './messages-answer.ts';

/** An explicit time limit: without one the SDK refuses plain calls whose max_tokens could take ten minutes. */
const options = { maxRetries: 0, timeout: 60_000 };

/** One call with the unmodified Anthropic SDK. */
export const sendMessage = async (url: string, body: Record<string, unknown>): Promise<Answer> => {
  const client = new Anthropic({ apiKey: KEY, baseURL: url, ...options });
  const { stream, ...rest } = body as unknown as MessageCreateParams;
  return readMessage(stream === true ? await client.messages.stream(rest).finalMessage() : await client.messages.create(rest));
};

/** One call with the unmodified OpenAI SDK. */
export const sendChat = async (url: string, body: Record<string, unknown>): Promise<Answer> => {
  const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, ...options });
  const { stream, ...rest } = body as unknown as ChatCompletionCreateParams;
  if (stream !== true) return readChatCompletion(await client.chat.completions.create(rest));
  return readChatCompletion(await client.chat.completions.stream({ ...rest, stream_options: { include_usage: true } }).finalChatCompletion());
};
