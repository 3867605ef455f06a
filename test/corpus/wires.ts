import type { Answer } from './answers/answer.ts';
import { readRecordedChat } from './answers/chat-answer.ts';
import { readRecordedGoogle } from './answers/google-answer.ts';
import { responseText, type CorpusLine, type Json } from './lines.ts';
import { readRecordedMessage } from './answers/messages-answer.ts';
import { readRecordedResponse } from './answers/responses-answer.ts';
import { sampleAnswers } from './samples.ts';
import { sendChat, sendGoogle, sendMessage, sendResponse } from './sdk.ts';
import { asIs, nameModel, type WireAdapter } from './wire-adapter.ts';

export const generationWires = ['chat-completions', 'messages', 'responses', 'generate-content'] as const;
export type GenerationWire = (typeof generationWires)[number];

/** Usage is always requested for a stream. */
const askForUsage = (body: Json): Json => {
  const options = (body['stream_options'] ?? {}) as Json;
  return body['stream'] === true && options['include_usage'] !== true
    ? { ...body, stream_options: { ...options, include_usage: true } }
    : body;
};

/** The last chunk of a stream has only the usage, and is withheld from clients that did not ask for it. */
const withoutUsage = (line: CorpusLine, request: Json): string => {
  const options = (request['stream_options'] ?? {}) as Json;
  const text = withinPrompt(responseText(line));
  if (line.response.sse === undefined || options['include_usage'] === true) return text;
  return text
    .split(/(?<=\n\n)/)
    .filter((block) => !/"choices": ?\[\], ?"usage": ?\{/.test(block))
    .join('');
};

interface RecordedUsage {
  readonly prompt_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
}

/** Grok on Azure counts more cached tokens than the prompt has, of which they are a part. */
const withinPrompt = (text: string): string =>
  text.replace(/"usage":( ?)(\{(?:[^{}]|\{[^{}]*\})*\})/, (whole, space: string, written: string) => {
    const usage = JSON.parse(written) as RecordedUsage;
    const { prompt_tokens: prompt, prompt_tokens_details: details } = usage;
    if ((details?.cached_tokens ?? 0) <= prompt) return whole;
    const corrected = { ...usage, prompt_tokens_details: { ...details, cached_tokens: prompt } };
    return `"usage":${space}${JSON.stringify(corrected)}`;
  });

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
    read: readRecordedChat,
    nativeEdits: askForUsage,
    nativeAnswer: withoutUsage,
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
};
