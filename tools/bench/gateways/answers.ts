import { ANSWER_MARK } from '../load/requests.ts';

const SENTENCE = `Over the fence sleeps ${ANSWER_MARK}. `;
const CREATED = 1_763_000_000;

const chat = (text: string): object => ({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: CREATED,
  model: 'bench',
  choices: [
    { index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: 'stop', logprobs: null },
  ],
  usage: {
    prompt_tokens: 250,
    completion_tokens: 120,
    total_tokens: 370,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  },
});
const messages = (text: string): object => ({
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 250, output_tokens: 120, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
});
const generateContent = (text: string): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 250, candidatesTokenCount: 120, totalTokenCount: 370 },
  modelVersion: 'bench',
  responseId: 'bench',
});
const embeddings = (text: string): object => ({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: Array.from(text, (_, place) => place / 1_024) }],
  model: 'text-embedding-3-small',
  usage: { prompt_tokens: 250, total_tokens: 250 },
});
const byPath: readonly (readonly [path: RegExp, answer: (text: string) => object])[] = [
  [/\/chat\/completions$/, chat],
  [/\/messages$/, messages],
  [/:generateContent$/, generateContent],
  [/\/embeddings$/, embeddings],
];

/**
 * The JSON texts of plain answers by their path, undefined where there is none.
 * @param sentences the length of the text in each; 14 make an answer of about 0.9 kB
 */
export function answersOf(sentences: number): (path: string) => string | undefined {
  const text = SENTENCE.repeat(sentences);
  const texts = byPath.map(([path, answer]) => [path, JSON.stringify(answer(text))] as const);
  return (path) => texts.find(([known]) => known.test(path))?.[1];
}

const event = (fields: object): string => {
  const about = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: CREATED, model: 'bench' };
  return `data: ${JSON.stringify({ ...about, ...fields })}\n\n`;
};
const choice = (delta: object, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }], usage: null });

/** The events of a streamed chat completion. */
export const chatEvents = {
  first: choice({ role: 'assistant', content: '' }),
  content: (text: string): string => choice({ content: text }),
  last: (tokens: number): string => {
    const usage = { prompt_tokens: 250, completion_tokens: tokens, total_tokens: 250 + tokens };
    return `${choice({}, 'stop')}${event({ choices: [], usage })}data: [DONE]\n\n`;
  },
};
