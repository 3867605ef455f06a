import { KEY } from './processes.ts';

const PROMPT = 'The quick brown fox jumps over the lazy dog. '.repeat(18);

export interface BenchRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };

/** About 1 kB of JSON. */
export const chatRequest = (model: string, stream = false): BenchRequest => ({
  path: '/v1/chat/completions',
  headers,
  body: JSON.stringify({ model, messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: PROMPT }], max_completion_tokens: 256, ...(stream ? { stream: true } : {}) }),
});

/** The same question on the messages wire: the gateway has to translate it. */
export const messagesRequest = (model: string, stream = false): BenchRequest => ({
  path: '/v1/messages',
  headers: { ...headers, 'anthropic-version': '2023-06-01' },
  body: JSON.stringify({ model, system: 'Be brief.', messages: [{ role: 'user', content: PROMPT }], max_tokens: 256, ...(stream ? { stream: true } : {}) }),
});
