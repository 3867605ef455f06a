import { bodiesOf, listOf } from './bill/bill.ts';
import type { Answer } from './answers/answer.ts';
import { isError, readRecordedChat } from './answers/chat-answer.ts';
import { readRecordedGoogle } from './answers/google-answer.ts';
import { readRecordedInteraction } from './answers/interactions-answer.ts';
import { responseText, type CorpusLine, type Json } from './lines.ts';
import { readRecordedMessage } from './answers/messages-answer.ts';
import { readRecordedResponse } from './answers/responses-answer.ts';
import { sampleAnswers } from './samples.ts';
import { sendChat, sendGoogle, sendInteraction, sendMessage, sendResponse } from './sdk.ts';
import { compatibleVendorOf, editForVendor, separateReasoning } from './compatible-vendors.ts';
import { correctUsage } from './corrected-usage.ts';
import { asIs, nameModel, type WireAdapter } from './wire-adapter.ts';

export const generationWires = [
  'chat-completions',
  'messages',
  'responses',
  'generate-content',
  'interactions',
] as const;
export type GenerationWire = (typeof generationWires)[number];

/** Usage is always requested for a stream. */
const askForUsage = (body: Json): Json => {
  const options = (body['stream_options'] ?? {}) as Json;
  return body['stream'] === true && options['include_usage'] !== true
    ? { ...body, stream_options: { ...options, include_usage: true } }
    : body;
};

const holdsUsageAlone = ({ choices, usage }: Json): boolean =>
  listOf(choices).length === 0 && typeof usage === 'object' && usage !== null;

/**
 * The last chunk of a stream has only the usage, and is withheld from clients that did not ask for it. A chunk with an
 * error is the last, and is not corrected. A last event without a blank line gets one.
 */
const streamForClient = (sse: string, wantsUsage: boolean): string => {
  const blocks = sse.split(/(?<=\n\n)/);
  const failed = blocks.findIndex((block) => bodiesOf(block).some(({ error }) => isError(error)));
  const shown = failed === -1 ? blocks : blocks.slice(0, failed);
  return [
    ...shown.filter((block) => wantsUsage || !bodiesOf(block).some(holdsUsageAlone)).map(correctUsage),
    ...(failed === -1 ? [] : [blocks[failed]]),
    ...(/\n\s*\n$/.test(sse) ? [] : ['\n\n']),
  ].join('');
};

const chatForClient = (line: CorpusLine, request: Json): string => {
  const options = (request['stream_options'] ?? {}) as Json;
  return line.response.sse === undefined
    ? correctUsage(responseText(line))
    : streamForClient(line.response.sse, options['include_usage'] === true);
};

/** The gateway adds `output_text`, which the vendor leaves out of its responses, plain and at the end of a stream. */
const withOutputText = (line: CorpusLine): string => {
  const { body, sse } = line.response;
  if (sse !== undefined)
    return sse.replaceAll(/^data: (.*"type": ?"response\.(?:completed|incomplete)".*)$/gm, addOutputText);
  if (body === undefined || 'output_text' in body) return responseText(line);
  return JSON.stringify({ ...body, output_text: line.response.status === 200 ? outputText(body) : '' });
};
/** In recorded events nothing follows the response but a number. */
const addOutputText = (written: string, data: string): string => {
  const { response } = JSON.parse(data) as { readonly response: Json };
  if ('output_text' in response) return written;
  const addition = `,"output_text":${JSON.stringify(outputText(response))}}`;
  return written.replace(/\}((?:,"sequence_number":\d+)?\})$/, (_end, rest: string) => addition + rest);
};
const outputText = ({ output }: Json): string =>
  (
    output as readonly {
      readonly type: string;
      readonly content?: readonly { readonly type: string; readonly text?: string }[];
    }[]
  )
    .flatMap((item) => (item.type === 'message' ? (item.content ?? []) : []))
    .map((part) => (part.type === 'output_text' ? (part.text ?? '') : ''))
    .join('');

/** The path names the model. A body can repeat it, where the vendor requires its full name. */
const repeatModel = (body: Json, model: string): Json => ('model' in body ? { ...body, model } : body);
const nameResource = (body: Json): Json =>
  'model' in body ? { ...body, model: `models/${String(body['model'])}` } : body;

export const wireAdapters: Readonly<Record<GenerationWire, WireAdapter<Answer>>> = {
  'chat-completions': {
    provider: 'openai',
    model: 'gpt-4.1',
    path: () => '/v1/chat/completions',
    forModel: nameModel,
    minimal: ({ stream }) => ({
      messages: [{ role: 'user', content: 'Hello' }],
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    }),
    sample: (stream) => sampleAnswers['chat-completions'][stream ? 'streamed' : 'plain'],
    read: (line) => separateReasoning(readRecordedChat(line), line),
    nativeEdits: (body, line) =>
      compatibleVendorOf(line) === undefined ? askForUsage(body) : editForVendor(askForUsage(body), line),
    nativeAnswer: chatForClient,
    send: sendChat,
  },
  'messages': {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    path: () => '/v1/messages',
    forModel: nameModel,
    minimal: ({ stream }) => ({
      max_tokens: 1000,
      messages: [{ role: 'user', content: 'Hello' }],
      ...(stream ? { stream } : {}),
    }),
    sample: (stream) => sampleAnswers['messages'][stream ? 'streamed' : 'plain'],
    read: readRecordedMessage,
    nativeEdits: asIs,
    nativeAnswer: responseText,
    send: sendMessage,
  },
  'responses': {
    provider: 'openai',
    model: 'gpt-4.1',
    path: () => '/v1/responses',
    forModel: nameModel,
    minimal: ({ stream }) => ({ input: 'Hello', ...(stream ? { stream } : {}) }),
    sample: (stream) => sampleAnswers['responses'][stream ? 'streamed' : 'plain'],
    read: readRecordedResponse,
    nativeEdits: asIs,
    nativeAnswer: withOutputText,
    send: sendResponse,
  },
  'generate-content': {
    provider: 'google',
    model: 'gemini-2.5-flash',
    path: (model, _body, stream) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    forModel: repeatModel,
    minimal: () => ({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }),
    sample: (stream) => sampleAnswers['generate-content'][stream ? 'streamed' : 'plain'],
    read: readRecordedGoogle,
    nativeEdits: nameResource,
    nativeAnswer: responseText,
    send: sendGoogle,
  },
  'interactions': {
    provider: 'google',
    model: 'gemini-3.5-flash',
    path: () => '/v1beta/interactions',
    forModel: nameModel,
    minimal: ({ stream }) => ({
      input: 'Hello',
      generation_config: { thinking_summaries: 'auto' },
      ...(stream ? { stream } : {}),
    }),
    sample: (stream) => sampleAnswers['interactions'][stream ? 'streamed' : 'plain'],
    read: readRecordedInteraction,
    nativeEdits: asIs,
    nativeAnswer: responseText,
    send: sendInteraction,
  },
};
