import { APIError as MessagesError } from '@anthropic-ai/sdk';
import { ApiError as GoogleError } from '@google/genai';
import { APIError as OpenAiError } from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { createChatClient } from './client-chat.ts';
import { createGoogleClient, paramsOf } from './client-google.ts';
import { createMessagesClient } from './client-messages.ts';
import { createResponsesClient } from './client-responses.ts';
import { hello } from '../sample-bodies.ts';
import type { Wire } from '../wires.ts';

/** What a user of the SDK sees of a stream until it ends or throws. */
export interface StreamView {
  text: string;
  /** The finish reason, if there is one. */
  finish: string | undefined;
  error: { readonly status?: number | undefined; readonly message: string } | undefined;
}
type Read = (url: string, model: string, sight: StreamView) => Promise<void>;

const ask = [{ role: 'user' as const, content: 'Hello' }];

const readChat: Read = async (url, model, sight) => {
  for await (const chunk of await createChatClient(url).chat.completions.create({
    max_completion_tokens: 100,
    messages: ask,
    model,
    stream: true,
  })) {
    sight.text += chunk.choices[0]?.delta.content ?? '';
    sight.finish ??= chunk.choices[0]?.finish_reason ?? undefined;
  }
};
const readMessages: Read = async (url, model, sight) => {
  for await (const event of await createMessagesClient(url).messages.create({
    max_tokens: 100,
    messages: ask,
    model,
    stream: true,
  })) {
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') sight.text += event.delta.text;
    if (event.type === 'message_delta') sight.finish ??= event.delta.stop_reason ?? undefined;
  }
};
const isEnd = (event: ResponseStreamEvent) =>
  event.type === 'response.completed' || event.type === 'response.incomplete';
/** This SDK reports a failed response as an event and does not throw. */
const readResponses: Read = async (url, model, sight) => {
  for await (const event of await createResponsesClient(url).responses.create({
    max_output_tokens: 100,
    input: 'Hello',
    model,
    stream: true,
  })) {
    if (event.type === 'response.output_text.delta') sight.text += event.delta;
    if (isEnd(event)) sight.finish ??= event.response.status;
    if (event.type === 'response.failed') sight.error = { message: event.response.error?.message ?? '' };
  }
};
const readGoogle: Read = async (url, model, sight) => {
  for await (const chunk of await createGoogleClient(url).models.generateContentStream(
    paramsOf({ ...hello.google, model }),
  )) {
    sight.text += chunk.text ?? '';
    sight.finish ??= chunk.candidates?.[0]?.finishReason;
  }
};
const readers: Readonly<Record<Wire, Read>> = {
  chat: readChat,
  messages: readMessages,
  responses: readResponses,
  google: readGoogle,
};

/**
 * Reads a stream event by event with the client's SDK.
 * @throws anything but an error of that SDK
 */
export const readStream = async (client: Wire, url: string, model: string): Promise<StreamView> => {
  const sight: StreamView = { text: '', finish: undefined, error: undefined };
  try {
    await readers[client](url, model, sight);
  } catch (thrown) {
    if (!(thrown instanceof OpenAiError || thrown instanceof MessagesError || thrown instanceof GoogleError))
      throw thrown;
    sight.error = thrown;
  }
  return sight;
};
