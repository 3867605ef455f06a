import type { Interactions } from '@google/genai';
import type { Answer } from '../answer.ts';
import { createGoogleClient } from '../clients/client-google.ts';
import type { Json, Mode } from '../wires.ts';

type Step = Interactions.Step & Json;

/** The id continues the conversation. */
export interface InteractionAnswer extends Answer {
  readonly id: string;
}

type Head = Pick<Interactions.Interaction, 'status' | 'usage'> & { readonly id?: string };

const textOf = (contents: unknown): string =>
  ((contents ?? []) as readonly Json[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('');

const readUsage = (usage: Interactions.Usage | undefined): Json => ({
  input: usage?.total_input_tokens,
  output: usage?.total_output_tokens,
  thought: usage?.total_thought_tokens,
  cached: usage?.total_cached_tokens,
  total: usage?.total_tokens,
});

const readSteps = (steps: readonly Step[], { id = '', status = '', usage }: Partial<Head>): InteractionAnswer => ({
  id,
  text: steps.map((step) => (step.type === 'model_output' ? textOf(step.content) : '')).join(''),
  reasoning: steps.map((step) => (step.type === 'thought' ? textOf(step.summary) : '')).join(''),
  refusal: undefined,
  calls: steps.flatMap((step) =>
    step.type === 'function_call' ? [{ id: step.id, name: step.name, input: step.arguments }] : [],
  ),
  finish: status,
  usage: readUsage(usage),
  turn: steps,
});

/** The step after a delta, as the guide to streaming says. https://ai.google.dev/gemini-api/docs/interactions/streaming */
const addDelta = (step: Json, delta: Json): Json => {
  switch (delta['type']) {
    case 'text': {
      const [last] = (step['content'] ?? []) as readonly Json[];
      return {
        ...step,
        content: [{ type: 'text', text: textOf(last === undefined ? [] : [last]) + String(delta['text']) }],
      };
    }
    case 'thought_summary':
      return { ...step, summary: [...((step['summary'] ?? []) as readonly Json[]), delta['content']] };
    case 'thought_signature':
      return { ...step, signature: delta['signature'] };
    case 'arguments_delta':
      return { ...step, pieces: String(step['pieces'] ?? '') + String(delta['arguments']) };
    default:
      return step;
  }
};

const closeStep = ({ pieces, ...step }: Json): Step =>
  (pieces === undefined ? step : { ...step, arguments: JSON.parse(String(pieces)) as unknown }) as Step;

async function readStream(events: AsyncIterable<Interactions.InteractionSSEEvent>): Promise<InteractionAnswer> {
  const steps: Json[] = [];
  let end: Interactions.InteractionCompletedEvent['interaction'] | undefined;
  for await (const event of events) {
    if (event.event_type === 'step.start') steps[event.index] = event.step as unknown as Json;
    else if (event.event_type === 'step.delta')
      steps[event.index] = addDelta(steps[event.index] ?? {}, event.delta as unknown as Json);
    else if (event.event_type === 'interaction.completed') end = event.interaction;
    else if (event.event_type === 'error') throw new Error(event.error?.message);
  }
  return readSteps(steps.map(closeStep), end ?? {});
}

/** Makes one call with the unmodified Google SDK. */
export async function sendInteraction(url: string, body: Json, mode: Mode): Promise<InteractionAnswer> {
  const { interactions } = createGoogleClient(url);
  const params = body as unknown as Interactions.InteractionCreateParamsNonStreaming;
  if (mode === 'streamed') return readStream(await interactions.create({ ...params, stream: true }));
  const interaction = await interactions.create(params);
  return readSteps(interaction.steps as readonly Step[], interaction);
}
