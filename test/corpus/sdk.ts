import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import {
  GoogleGenAI,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type Interactions,
} from '@google/genai';
import OpenAI from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { KEY } from '../support/gateway.ts';
import type { Answer } from './answers/answer.ts';
import { readChatCompletion } from './answers/chat-answer.ts';
import { readGoogleChunks } from './answers/google-answer.ts';
import { readInteraction, readInteractionEvents } from './answers/interactions-answer.ts';
import type { Json } from './lines.ts';
import { readMessage } from './answers/messages-answer.ts';
import { readResponse } from './answers/responses-answer.ts';
import type { WireAdapter } from './wire-adapter.ts';

/** An explicit time limit: without one the SDK refuses plain calls whose max_tokens could take ten minutes. */
const options = { maxRetries: 0, timeout: 60_000 };

/** The unmodified SDKs, pointed at a gateway. */
export const anthropicAt = (url: string): Anthropic => new Anthropic({ apiKey: KEY, baseURL: url, ...options });
export const openaiAt = (url: string): OpenAI => new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, ...options });
export const googleAt = (url: string): GoogleGenAI => new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: url } });

type Send = WireAdapter<Answer>['send'];

const omit = (body: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

export const sendMessage: Send = async (url, model, body, stream) => {
  const request = { ...omit(body, 'stream'), model } as unknown as MessageCreateParams;
  const { messages } = anthropicAt(url);
  return readMessage(
    stream ? await messages.stream(request).finalMessage() : await messages.create({ ...request, stream: false }),
  );
};

export const sendChat: Send = async (url, model, body, stream) => {
  const request = { ...omit(body, 'stream', 'stream_options'), model } as unknown as ChatCompletionCreateParams;
  const { completions } = openaiAt(url).chat;
  if (!stream) return readChatCompletion(await completions.create({ ...request, stream: false }));
  const running = completions.stream({ ...request, stream: true, stream_options: { include_usage: true } });
  const chunks = await Array.fromAsync(running);
  return readChatCompletion(await running.finalChatCompletion(), chunks);
};

export const sendResponse: Send = async (url, model, body, stream) => {
  const request = { ...omit(body, 'stream', 'stream_options'), model } as unknown as ResponseCreateParams;
  const { responses } = openaiAt(url);
  return readResponse(
    stream
      ? await responses.stream({ ...request, stream: true }).finalResponse()
      : await responses.create({ ...request, stream: false }),
  );
};

/** This SDK takes its parameters in another structure than it sends. Thoughts are always requested. */
const parametersOf = ({ contents, generationConfig, ...rest }: Json): Omit<GenerateContentParameters, 'model'> => {
  const config: GenerateContentConfig = { ...omit(rest, 'model'), ...(generationConfig as Json | undefined) };
  return {
    contents: contents as GenerateContentParameters['contents'],
    config: { ...config, thinkingConfig: { ...config.thinkingConfig, includeThoughts: true } },
  };
};

export const sendGoogle: Send = async (url, model, body, stream) => {
  const request = { model, ...parametersOf(body) };
  const { models } = googleAt(url);
  return readGoogleChunks(
    stream
      ? await Array.fromAsync(await models.generateContentStream(request))
      : [await models.generateContent(request)],
  );
};

/** Four retries with pauses are the default. */
const once: Parameters<GoogleGenAI['interactions']['create']>[1] = { retries: { strategy: 'none' } };

/** Summaries of thoughts are always requested. */
export const sendInteraction: Send = async (url, model, body, stream) => {
  const request = {
    ...omit(body, 'stream'),
    model,
    generation_config: { ...(body['generation_config'] as Json | undefined), thinking_summaries: 'auto' },
  } as unknown as Interactions.InteractionCreateParamsNonStreaming;
  const { interactions } = googleAt(url);
  if (!stream) return readInteraction((await interactions.create(request, once)) as unknown as Json);
  const events = await interactions.create({ ...request, stream: true }, once);
  return readInteractionEvents((await Array.fromAsync(events)) as unknown as readonly Json[]);
};
