import type { Answer } from '../answer.ts';
import { sendChat } from './client-chat.ts';
import { sendGoogle } from './client-google.ts';
import { sendMessages } from './client-messages.ts';
import { sendResponses } from './client-responses.ts';
import type { Json, Mode, Wire } from '../wires.ts';

/**
 * One call by the SDK of each wire. Bodies are request bodies of the wire with the model in them, also where the path
 * has it.
 */
export const senders: Readonly<Record<Wire, (url: string, body: Json, mode: Mode) => Promise<Answer>>> = {
  chat: sendChat,
  messages: sendMessages,
  responses: sendResponses,
  google: sendGoogle,
};
