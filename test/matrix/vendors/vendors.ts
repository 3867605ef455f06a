import { chatBody, chatFrames, type ChatVendorAnswer } from './vendor-chat.ts';
import { googleBody, googleFrames, type GoogleVendorAnswer } from './vendor-google.ts';
import { messagesBody, messagesFrames, type MessagesVendorAnswer } from './vendor-messages.ts';
import { responsesBody, responsesFrames, type ResponsesVendorAnswer } from './vendor-responses.ts';
import { someTokens, type Json, type Mode, type Tokens, type Wire } from '../wires.ts';

/** The same response, as the vendor of each wire sends it. */
export interface VendorAnswers {
  readonly chat: ChatVendorAnswer;
  readonly messages: MessagesVendorAnswer;
  readonly responses: ResponsesVendorAnswer;
  readonly google: GoogleVendorAnswer;
}

const bodies: Readonly<Record<Wire, (answers: VendorAnswers, tokens: Tokens) => string>> = {
  chat: ({ chat }, tokens) => chatBody(chat, tokens),
  messages: ({ messages }, tokens) => messagesBody(messages, tokens),
  responses: ({ responses }, tokens) => responsesBody(responses, tokens),
  google: ({ google }, tokens) => googleBody(google, tokens),
};
const streams: Readonly<Record<Wire, (answers: VendorAnswers, tokens: Tokens) => readonly string[]>> = {
  chat: ({ chat }, tokens) => chatFrames(chat, tokens),
  messages: ({ messages }, tokens) => messagesFrames(messages, tokens),
  responses: ({ responses }, tokens) => responsesFrames(responses, tokens),
  google: ({ google }, tokens) => googleFrames(google, tokens),
};

/** The frames of a streamed response. */
export const framesOf = (wire: Wire, answers: VendorAnswers, tokens = someTokens): readonly string[] =>
  streams[wire](answers, tokens);
/** The response in this mode, as the vendor of the wire sends it. */
export const textOf = (wire: Wire, mode: Mode, answers: VendorAnswers, tokens = someTokens): string =>
  mode === 'plain' ? bodies[wire](answers, tokens) : framesOf(wire, answers, tokens).join('');

/** The path at which each vendor is called. */
export const vendorPaths: Readonly<Record<Wire, (model: string, mode: Mode) => string>> = {
  chat: () => '/v1/chat/completions',
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  google: (model, mode) =>
    `/v1beta/models/${model}:${mode === 'plain' ? 'generateContent' : 'streamGenerateContent?alt=sse'}`,
};

/** The gateway's own credential. */
export const credentials: Readonly<Record<Wire, Readonly<Record<string, string>>>> = {
  chat: { authorization: 'Bearer upstream-secret-openai' },
  messages: { 'x-api-key': 'upstream-secret-anthropic' },
  responses: { authorization: 'Bearer upstream-secret-openai' },
  google: { 'x-goog-api-key': 'upstream-secret-google' },
};

/** What the gateway writes into a body for the model and the mode: Google has both in the path. */
export const ownMembers: Readonly<Record<Wire, (model: string, mode: Mode) => Json>> = {
  chat: (model, mode) => ({
    model,
    ...(mode === 'plain' ? {} : { stream: true, stream_options: { include_usage: true } }),
  }),
  messages: (model, mode) => ({ model, ...(mode === 'plain' ? {} : { stream: true }) }),
  responses: (model, mode) => ({ model, ...(mode === 'plain' ? {} : { stream: true }) }),
  google: () => ({}),
};
