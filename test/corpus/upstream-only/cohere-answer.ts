import type { CorpusLine, Json } from '../lines.ts';
import { parseArguments, readEvents, type Answer, type Reason } from '../answers/answer.ts';

interface Call {
  readonly name: string;
  readonly text: string;
}

/** The vendor does not say which sequence it was, without which no wire has the reason. */
const reasons: Readonly<Record<string, Reason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
};

const inner = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Json | undefined)?.[name], value);
const textAt = (value: unknown, ...path: readonly string[]): string => String(inner(value, ...path) ?? '');

/** The vendor bills `billed_units`. */
const usageOf = (usage: unknown): Answer['usage'] => {
  const output = Number(inner(usage, 'billed_units', 'output_tokens'));
  const reasoning = inner(usage, 'tokens', 'reasoning_tokens');
  return {
    input: Number(inner(usage, 'billed_units', 'input_tokens')),
    cacheRead: 0,
    output,
    ...(reasoning === undefined ? {} : { reasoning: Math.min(Number(reasoning), output) }),
  };
};

const answerOf = (
  texts: { readonly text: string; readonly reasoning: string },
  calls: readonly Call[],
  finish: string,
  usage: unknown,
): Answer => ({
  ...texts,
  refusal: '',
  explanation: '',
  calls: calls.map(({ name, text }) => ({ name, input: parseArguments(text) })),
  finish,
  reason: reasons[finish] ?? 'error',
  usage: usageOf(usage),
});

const readPlain = (body: Json): Answer => {
  const content = (inner(body, 'message', 'content') ?? []) as readonly Json[];
  const calls = (inner(body, 'message', 'tool_calls') ?? []) as readonly Json[];
  const join = (member: string): string => content.map((block) => textAt(block, member)).join('');
  const texts = { text: join('text') + textAt(body, 'message', 'tool_plan'), reasoning: join('thinking') };
  return answerOf(
    texts,
    calls.map((call) => ({ name: textAt(call, 'function', 'name'), text: textAt(call, 'function', 'arguments') })),
    textAt(body, 'finish_reason'),
    body['usage'],
  );
};

const readStream = (sse: string): Answer => {
  const events = readEvents(sse);
  const join = (...path: readonly string[]): string =>
    events.map((event) => textAt(event, 'delta', 'message', ...path)).join('');
  const calls = events
    .filter(({ type }) => type === 'tool-call-start')
    .map((start) => ({
      name: textAt(start, 'delta', 'message', 'tool_calls', 'function', 'name'),
      text: events
        .filter(({ index, type }) => index === start['index'] && String(type).startsWith('tool-call'))
        .map((event) => textAt(event, 'delta', 'message', 'tool_calls', 'function', 'arguments'))
        .join(''),
    }));
  const end = events.find(({ type }) => type === 'message-end');
  const texts = { text: join('tool_plan') + join('content', 'text'), reasoning: join('content', 'thinking') };
  return answerOf(texts, calls, textAt(end, 'delta', 'finish_reason'), inner(end, 'delta', 'usage'));
};

/** A response of `/v2/chat` as it was recorded. */
export const readRecordedCohere = ({ response }: CorpusLine): Answer =>
  response.sse === undefined ? readPlain(response.body ?? {}) : readStream(response.sse);
