import type { Interactions } from '@google/genai';
import { parseArguments, readEvents, type Answer, type Reason } from './answer.ts';
import type { CorpusLine, Json } from '../lines.ts';

/** An interaction as the SDK returns it, or as it was recorded. */
interface Interaction {
  readonly status?: string;
  readonly steps?: readonly Json[];
  readonly usage?: Interactions.Usage;
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const textOf = (contents: unknown): string =>
  list(contents)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');

const reasons: Readonly<Record<string, Reason>> = {
  completed: 'stop',
  requires_action: 'tool_calls',
  incomplete: 'length',
  in_progress: 'pause',
  failed: 'error',
  cancelled: 'error',
};

/** Thoughts are beside the output, and prompts of tools beside the input. */
const usageOf = (usage: Interactions.Usage | undefined): Answer['usage'] =>
  usage?.total_input_tokens === undefined
    ? undefined
    : {
        input: usage.total_input_tokens + (usage.total_tool_use_tokens ?? 0),
        cacheRead: usage.total_cached_tokens ?? 0,
        output: (usage.total_output_tokens ?? 0) + (usage.total_thought_tokens ?? 0),
        reasoning: usage.total_thought_tokens ?? 0,
      };

export const readInteraction = ({ status = '', steps = [], usage }: Interaction): Answer => ({
  text: steps.map(({ type, content }) => (type === 'model_output' ? textOf(content) : '')).join(''),
  refusal: '',
  explanation: '',
  reasoning: steps.map(({ type, summary }) => (type === 'thought' ? textOf(summary) : '')).join(''),
  calls: steps.flatMap(({ type, name, arguments: input }) =>
    type === 'function_call' ? [{ name: String(name), input }] : [],
  ),
  finish: status,
  reason: reasons[status] ?? 'error',
  usage: usageOf(usage),
});

/** https://ai.google.dev/gemini-api/docs/interactions/streaming */
const addDelta = (step: Json, delta: Json): void => {
  if (delta['type'] === 'text') step['content'] = [...list(step['content']), { text: delta['text'] }];
  if (delta['type'] === 'thought_summary') step['summary'] = [...list(step['summary']), delta['content']];
  if (delta['type'] === 'arguments_delta') step['pieces'] = `${step['pieces'] ?? ''}${delta['arguments']}`;
};

/** The events of a stream, as the SDK returns them or as they were recorded. */
export const readInteractionEvents = (events: readonly Json[]): Answer => {
  const steps: Json[] = [];
  let end: Interaction = {};
  for (const { event_type: type, index, step, delta, interaction, error } of events) {
    if (type === 'step.start') steps[Number(index)] = { ...(step as Json) };
    else if (type === 'step.delta') addDelta(steps[Number(index)] ?? {}, delta as Json);
    else if (type === 'interaction.completed') end = interaction as Interaction;
    else if (type === 'error') throw new Error(String((error as Json)['message']));
  }
  const whole = steps.map(({ pieces, ...step }) =>
    pieces === undefined ? step : { ...step, arguments: parseArguments(String(pieces)) },
  );
  return readInteraction({ ...end, steps: whole });
};

export const readRecordedInteraction = ({ response: { sse, body } }: CorpusLine): Answer =>
  sse === undefined ? readInteraction(body as Interaction) : readInteractionEvents(readEvents(sse));
