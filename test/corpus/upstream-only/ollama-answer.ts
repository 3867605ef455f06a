import type { CorpusLine, Json } from '../lines.ts';
import type { Answer } from '../answers/answer.ts';

interface Message {
  readonly content?: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: unknown } }[];
}

/** A response of `/api/chat` as it was recorded: one line, or all lines of a stream. */
export const readRecordedOllama = ({ response }: CorpusLine): Answer => {
  const lines =
    response.ndjson === undefined
      ? [response.body ?? {}]
      : response.ndjson
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Json);
  const messages = lines.map(({ message }) => (message ?? {}) as Message);
  const calls = messages.flatMap(({ tool_calls: found = [] }) => found);
  const last = lines.at(-1) ?? {};
  const reason = last['done_reason'] === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    text: messages.map(({ content = '' }) => content).join(''),
    refusal: '',
    explanation: '',
    reasoning: messages.map(({ thinking = '' }) => thinking).join(''),
    calls: calls.map((call) => ({ name: call.function.name, input: call.function.arguments })),
    finish: String(last['done_reason']),
    reason: last['done'] === true ? reason : 'error',
    usage: { input: Number(last['prompt_eval_count']), cacheRead: 0, output: Number(last['eval_count']) },
  };
};
