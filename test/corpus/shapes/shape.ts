import type { Answer } from '../answers/answer.ts';
import type { CorpusLine, Json } from '../lines.ts';
import type { GenerationWire } from '../wires.ts';

/** A response in the shape of one vendor, made up for the tests, and what it means. */
export interface VendorShape {
  readonly name: string;
  readonly wire: GenerationWire;
  readonly line: CorpusLine;
  readonly means: Pick<Answer, 'text' | 'reasoning' | 'calls' | 'usage'>;
  /** Addresses that every client must find. */
  readonly sources?: readonly string[];
}

type Meaning = Partial<VendorShape['means']>;

export const lineOf = (provider: string, response: Partial<CorpusLine['response']>): CorpusLine => ({
  id: provider,
  provider,
  style: 'made-up',
  model: 'one',
  stream: response.sse !== undefined,
  request: { method: 'POST', path: '/', headers: {}, body: null },
  response: { status: 200, headers: {}, ...response },
});

export const made = (name: string, wire: GenerationWire, line: CorpusLine, means: Meaning): VendorShape => ({
  name,
  wire,
  line,
  means: { text: '', reasoning: '', calls: [], usage: undefined, ...means },
});

const head = { id: 'c1', created: 1, model: 'one' };
export const plain = (
  message: Json,
  usage: Json,
  finish: string,
  members: Json = {},
): Partial<CorpusLine['response']> => ({
  body: {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage,
    ...members,
  },
});
export const chunk = (delta: Json, choice: Json = {}, members: Json = {}): Json => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...members,
});
export const usageChunk = (usage: Json): Json => ({ ...head, object: 'chat.completion.chunk', choices: [], usage });
export const frames = (chunks: readonly Json[], { end = '\n\n', between = '' } = {}): string =>
  chunks.map((each) => `${between}data: ${JSON.stringify(each)}${end}`).join('');
export const DONE = 'data: [DONE]\n\n';

export const tokens = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
export const counted = { input: 10, cacheRead: 0, output: 5, reasoning: 0 };
export const lookUp = { name: 'look_up', input: { city: 'Oslo' } };
export const called = { name: 'look_up', arguments: '{"city":"Oslo"}' };
