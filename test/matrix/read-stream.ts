import { APIError as MessagesError } from '@anthropic-ai/sdk';
import { APIError as ChatError } from 'openai';
import { createChatClient } from './client-chat.ts';
import { createMessagesClient } from './client-messages.ts';
import { hello } from './matrix-case.ts';
import type { Wire } from './wires.ts';

/** What a user of the SDK sees of a stream, until it ends or throws. */
export interface Sight {
  text: string;
  /** `finish_reason` or `stop_reason`, if one came. */
  finish: string | undefined;
  error: ChatError | MessagesError | undefined;
}

const readChat = async (url: string, model: string, sight: Sight): Promise<void> => {
  for await (const chunk of await createChatClient(url).chat.completions.create({ ...hello.chat, messages: [...hello.chat.messages], model, stream: true })) {
    sight.text += chunk.choices[0]?.delta.content ?? '';
    sight.finish ??= chunk.choices[0]?.finish_reason ?? undefined;
  }
};
const readMessages = async (url: string, model: string, sight: Sight): Promise<void> => {
  for await (const event of await createMessagesClient(url).messages.create({ ...hello.messages, messages: [...hello.messages.messages], model, stream: true })) {
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') sight.text += event.delta.text;
    if (event.type === 'message_delta') sight.finish ??= event.delta.stop_reason ?? undefined;
  }
};
const readers = { chat: readChat, messages: readMessages } as const;

/** Reads a stream event by event with the client's SDK. @throws anything but an error of that SDK */
export const readStream = async (client: Wire, url: string, model: string): Promise<Sight> => {
  const sight: Sight = { text: '', finish: undefined, error: undefined };
  try {
    await readers[client](url, model, sight);
  } catch (thrown) {
    if (!(thrown instanceof ChatError || thrown instanceof MessagesError)) throw thrown;
    sight.error = thrown;
  }
  return sight;
};
