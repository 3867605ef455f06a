import { inputTotal, type GenerateResponse, type JsonObject } from '../../../../../core/api/index.ts';

/**
 * A response reduced to what a user gets: read here from recorded JSON, and in {@link summarise} from the canonical
 * form.
 */
export interface PlainAnswer {
  readonly choices: readonly PlainChoice[];
  readonly usage: { readonly input: number; readonly output: number } | undefined;
}
interface PlainChoice {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  readonly finish: string;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const parse = (input: string): unknown => {
  try {
    return JSON.parse(input === '' ? '{}' : input);
  } catch {
    return input;
  }
};

/** Accumulates deltas. A whole message is one delta. */
interface Growing {
  text: string;
  thought: string;
  finish: string;
  refused: boolean;
  readonly calls: Map<string, { name: string; input: string }>;
}

const thoughtOf = (delta: JsonObject): string => {
  const blocks = objects(delta['content'])
    .filter(({ type }) => type === 'thinking')
    .flatMap((block) => objects(block['thinking']));
  const details = objects(delta['reasoning_details'])
    .map((detail) => text(detail['text']) || text(detail['summary']))
    .join('');
  return (
    details ||
    text(delta['reasoning_content']) ||
    text(delta['reasoning']) ||
    blocks.map((block) => text(block['text'])).join('')
  );
};
const textOf = ({ content }: JsonObject): string =>
  typeof content === 'string'
    ? content
    : objects(content)
        .filter(({ type }) => type === 'text')
        .map((block) => text(block['text']))
        .join('');

/** `function_call`, in responses to older clients. */
const legacyCalls = (call: unknown): readonly JsonObject[] =>
  isObject(call) && text(call['name']) + text(call['arguments']) !== '' ? [{ function: call, index: 'legacy' }] : [];

const growCalls = (calls: Growing['calls'], delta: JsonObject): void => {
  for (const call of [...objects(delta['tool_calls']), ...legacyCalls(delta['function_call'])]) {
    const key = String(call['index'] ?? call['id']);
    const known = calls.get(key) ?? { name: '', input: '' };
    const body = call['type'] === 'custom' ? call['custom'] : call['function'];
    const { name, arguments: json, input = json } = isObject(body) ? body : {};
    calls.set(key, {
      name: known.name || text(name),
      input: known.input + (isObject(input) ? JSON.stringify(input) : text(input)),
    });
  }
};

/** The finish reasons of vendors. A response with calls ends for them unless it was cut or filtered. */
const finishOf = ({ finish, calls, refused }: Growing): string => {
  if (['length', 'model_length', 'content_filter'].includes(finish))
    return finish === 'model_length' ? 'length' : finish;
  return calls.size > 0 ? 'tool_calls' : refused ? 'refusal' : 'stop';
};

const usageOf = (answers: readonly JsonObject[]): PlainAnswer['usage'] => {
  const all = answers
    .flatMap((answer) => [answer['usage'], isObject(answer['x_groq']) ? answer['x_groq']['usage'] : undefined])
    .filter(isObject);
  const last = all.at(-1);
  if (last === undefined) return undefined;
  const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
    Number(last[name] ?? 0),
  ) as [number, number, number];
  const audio = isObject(last['prompt_tokens_details'])
    ? Number(last['prompt_tokens_details']['audio_tokens'] ?? 0)
    : 0;
  const beyond = Math.max(0, total - prompt - completion);
  // Mistral counts the audio apart, xAI the reasoning, Google thoughts that it does not report.
  if (beyond > 0 && beyond === audio) return { input: prompt + audio, output: completion };
  const output = completion + beyond;
  const reasoning = isObject(last['completion_tokens_details'])
    ? Number(last['completion_tokens_details']['reasoning_tokens'] ?? 0)
    : 0;
  // So does Vercel, with a total that leaves it out.
  return { input: prompt, output: reasoning > output ? output + reasoning : output };
};

/** The chunks of a stream, or one plain body. */
export const readPlain = (answers: readonly JsonObject[]): PlainAnswer => {
  const choices = new Map<number, Growing>();
  for (const choice of answers.flatMap((answer) => objects(answer['choices']))) {
    const index = Number(choice['index'] ?? 0);
    const growing = choices.get(index) ?? { text: '', thought: '', finish: '', refused: false, calls: new Map() };
    choices.set(index, growing);
    const delta =
      isObject(choice['delta']) && !(answers.length === 1 && isObject(choice['message']))
        ? choice['delta']
        : isObject(choice['message'])
          ? choice['message']
          : {};
    growing.text += textOf(delta);
    growing.thought += thoughtOf(delta);
    growing.refused ||= text(delta['refusal']) !== '';
    growing.finish ||= text(choice['finish_reason']);
    growCalls(growing.calls, delta);
  }
  return {
    choices: [...choices.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, growing]) => ({
        text: growing.text,
        thought: growing.thought,
        calls: [...growing.calls.values()].map(({ name, input }) => [name, parse(input)] as const),
        finish: finishOf(growing),
      })),
    usage: usageOf(answers),
  };
};

/** The same for a canonical response. */
export const summarise = ({ choices, usage }: GenerateResponse): PlainAnswer => ({
  choices: choices.map(({ parts, finish }) => ({
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    thought: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.name, parse(part.input)] as const] : [])),
    finish: finish.reason,
  })),
  usage: usage === undefined ? undefined : { input: inputTotal(usage), output: usage.output },
});
