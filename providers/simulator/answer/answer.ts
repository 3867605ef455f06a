import {
  invalidRequest,
  type Choice,
  type Finish,
  type GenerateRequest,
  type GenerateResponse,
  type Part,
  type TokenLogprob,
  type Usage,
} from '../../../core/api/index.ts';
import type { Conversation } from './conversation.ts';
import type { Prompt } from '../prompt.ts';
import type { CacheCounts } from '../prompt-cache.ts';
import { composeEcho, composeResults } from './prose.ts';
import { composeReasoning, composeThoughtPart } from './reasoning.ts';
import { sampleSchema } from './sample.ts';
import type { Settings } from '../settings.ts';
import { calculateCharacters, calculateTokens, limitTokens, splitPieces } from '../tokens.ts';
import { composeCalls } from './tool-calls.ts';

/** Everything that a response depends on: the same request always gets the same response. */
export interface AnswerInput {
  readonly request: GenerateRequest;
  readonly conversation: Conversation;
  readonly prompt: Prompt;
  readonly cache: CacheCounts;
  readonly settings: Settings;
}

/** Limits the words of all choices together, because a response is held in memory. */
const WORD_LIMIT = 1_000_000;
const CHOICE_LIMIT = 128;

/** The text before the first stop sequence in it. */
const stopText = (text: string, stop: readonly string[]): { readonly text: string; readonly sequence?: string } => {
  const [first] = stop
    .map((sequence) => ({ sequence, at: sequence === '' ? -1 : text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  return first === undefined ? { text } : { text: text.slice(0, first.at), sequence: first.sequence };
};

const composeText = (
  { request: { output }, conversation: { text, results }, prompt, settings: { words } }: AnswerInput,
  choice: number,
): string => {
  const start = Number.parseInt(prompt.digest.slice(0, 6), 16) + choice;
  if (output?.type === 'schema') return JSON.stringify(sampleSchema(output.schema));
  const prose = results.length > 0 ? composeResults(results, words, start) : composeEcho(text, words, start);
  return output === undefined ? prose : JSON.stringify({ answer: prose });
};

/** The content before it is cut to `max_tokens`. */
const composeContent = (
  input: AnswerInput,
  choice: number,
): { readonly parts: readonly Part[]; readonly finish: Finish } => {
  const { request, conversation, prompt, settings } = input;
  if (settings.refusal === true) {
    const text = settings.message ?? 'The simulator was asked to refuse.';
    return { parts: [{ type: 'refusal', text }], finish: { reason: 'refusal', explanation: text } };
  }
  const calls = composeCalls(request, conversation, `${prompt.digest.slice(0, 20)}${choice}`);
  if (calls.length > 0) return { parts: calls, finish: { reason: 'tool_calls' } };
  const { text, sequence } = stopText(composeText(input, choice), request.stop ?? []);
  return {
    parts: [{ type: 'text', text }],
    finish: sequence === undefined ? { reason: 'stop' } : { reason: 'stop_sequence', sequence },
  };
};

/** Each token is as likely as not, and each alternative half as likely as the one before. */
const HALF = Math.log(0.5);
const alternatives = ' the of and to in is that it for was on are as with they at be this from or have'.split(/(?= )/);

const composeToken = (token: string, count: number): TokenLogprob => {
  const likely = [token, ...alternatives.filter((other) => other !== token)].slice(0, count);
  return {
    token,
    logprob: HALF,
    top: likely.map((other, place) => ({ token: other, logprob: HALF * (place + 1) })),
  };
};

/** Adds to each text what the client asks for. */
const addLogprobs = (parts: readonly Part[], { logprobs: count }: GenerateRequest): readonly Part[] =>
  count === undefined
    ? parts
    : parts.map((part) =>
        part.type === 'text'
          ? { ...part, logprobs: Array.from(splitPieces(part.text), (token) => composeToken(token, count)) }
          : part,
      );

const composeChoice = (
  input: AnswerInput,
  choice: number,
): { readonly choice: Choice; readonly output: number; readonly reasoning: number } => {
  const { request, prompt, settings } = input;
  const thought = composeReasoning(request);
  const reasoning = calculateTokens(thought.length);
  const content = composeContent(input, choice);
  const { parts, cut } = limitTokens(content.parts, (request.maxTokens ?? Number.POSITIVE_INFINITY) - reasoning);
  const reason = settings.finish ?? (cut ? 'length' : undefined);
  return {
    choice: {
      parts: [...composeThoughtPart(request, thought, prompt.digest), ...addLogprobs(parts, request)],
      finish: reason === undefined ? content.finish : { reason },
    },
    output: reasoning + calculateTokens(parts.reduce((sum, part) => sum + calculateCharacters(part), 0)),
    reasoning,
  };
};

const calculateUsage = ({ prompt, cache, settings }: AnswerInput, output: number, reasoning: number): Usage => ({
  inputUncached: prompt.tokens - cache.read - cache.write5m - cache.write1h,
  cacheRead: cache.read,
  cacheWrite5m: cache.write5m,
  cacheWrite1h: cache.write1h,
  output,
  reasoning,
  source: 'provider',
  ...settings.pinned,
});

/** @throws GatewayError 400 when the response would not fit in memory */
export function checkSize({ choices }: GenerateRequest, { words }: Settings): void {
  if (choices <= CHOICE_LIMIT && choices * words <= WORD_LIMIT) return;
  throw invalidRequest(
    'n',
    `The simulator returns at most ${CHOICE_LIMIT} choices and ${WORD_LIMIT} words in one response.`,
  );
}

/** The whole response. Prompt tokens count once, however many choices there are. */
export function composeAnswer(input: AnswerInput, model: string): GenerateResponse {
  const { request, settings } = input;
  const made = Array.from({ length: Math.max(1, request.choices) }, (_, index) => composeChoice(input, index));
  const sum = (count: 'output' | 'reasoning'): number => made.reduce((total, one) => total + one[count], 0);
  return {
    model,
    choices: made.map(({ choice }) => choice),
    ...(settings.usage === false ? {} : { usage: calculateUsage(input, sum('output'), sum('reasoning')) }),
  };
}
