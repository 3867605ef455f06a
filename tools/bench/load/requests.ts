import { KEY } from '../gateways/settings.ts';

export interface BenchRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Keys that are sent in turn. */
  readonly keys?: readonly string[];
}

const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };

/** Marks a prompt as that of a client. */
export const REQUEST_MARK = 'a quick brown fox';
/** Stands in the answers of the upstream. */
export const ANSWER_MARK = 'a lazy dog';

const SENTENCE = `Here ${REQUEST_MARK} jumps over the fence. `;
/** A prompt of about so many bytes; without a size the body has about 1 kB. */
const promptOf = (bytes = 850): string => SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length));

const bodyOf = (fields: object, isStream: boolean): string =>
  JSON.stringify({ ...fields, ...(isStream ? { stream: true } : {}) });

export const chatRequest = (model: string, isStream = false, bytes?: number): BenchRequest => ({
  path: '/v1/chat/completions',
  headers,
  body: bodyOf(
    {
      model,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: promptOf(bytes) },
      ],
      max_completion_tokens: 256,
    },
    isStream,
  ),
});

/** A streamed chat completion of so many content events, each so many milliseconds after the other. */
export const streamRequest = (model: string, events: number, every = 20): BenchRequest => ({
  path: '/v1/chat/completions',
  headers,
  body: bodyOf(
    { model, messages: [{ role: 'user', content: `${promptOf()}[events ${events} every ${every}]` }] },
    true,
  ),
});

/** The same question on the messages wire. */
export const messagesRequest = (model: string, isStream = false, bytes?: number): BenchRequest => ({
  path: '/v1/messages',
  headers: { ...headers, 'anthropic-version': '2023-06-01' },
  body: bodyOf(
    { model, system: 'Be brief.', messages: [{ role: 'user', content: promptOf(bytes) }], max_tokens: 256 },
    isStream,
  ),
});

/** The same question on the wire of Google. */
export const generateContentRequest = (model: string, isStream = false, bytes?: number): BenchRequest => ({
  path: `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  headers,
  body: JSON.stringify({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: promptOf(bytes) }] }],
    generationConfig: { maxOutputTokens: 256 },
  }),
});

export const embeddingsRequest = (model: string, bytes?: number): BenchRequest => ({
  path: '/v1/embeddings',
  headers,
  body: JSON.stringify({ model, input: promptOf(bytes) }),
});
