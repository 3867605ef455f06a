import type { Frame } from '../../../core/api/codec.ts';
import { driveRequest, driveResponse, driveStream, driveUsage, type Outcome } from '../drive.ts';
import { surface, type Surface, type TypePath } from './surface.ts';

const WIRE = 'interactions';
const type = (name: string): readonly TypePath[] => [['google', `Interactions.${name}`]];

const text = { type: 'text', text: 'Hi' };
const user = { type: 'user_input', content: [text] };
const tools = [{ type: 'function', name: 'words' }];
const generation_config = { max_output_tokens: 100 };
const base = { model: 'm', input: [user], tools, generation_config };
const say = (...input: readonly unknown[]) => driveRequest(WIRE, { ...base, input });

const usage = { total_input_tokens: 1, total_output_tokens: 1, total_tokens: 2 };
const output = { type: 'model_output', content: [text] };
const head = { id: 'v1_1', object: 'interaction', model: 'm' };
const response = { ...head, status: 'completed', steps: [output], usage };
const answer = (...steps: readonly unknown[]) => driveResponse(WIRE, { ...response, steps });

const frame = (event: string, members: object): Frame => ({
  event,
  data: JSON.stringify({ event_type: event, ...members }),
});
/** A stream with one step, which has these deltas. */
const stream = (step: object, ...deltas: readonly unknown[]): readonly Outcome[] =>
  driveStream(WIRE, [
    frame('interaction.created', { interaction: { ...head, status: 'in_progress' } }),
    frame('step.start', { index: 0, step }),
    ...deltas.map((delta) => frame('step.delta', { index: 0, delta })),
    frame('step.stop', { index: 0 }),
    frame('interaction.completed', { interaction: { ...head, status: 'completed', usage } }),
    { event: 'done', data: '[DONE]' },
  ]);

/** What other surfaces have, and what the SDK computes. */
const ELSEWHERE =
  /^\.(?:input|tools|generation_config|steps|usage|model|agent|output_(?:text|image|audio|video))(?![a-z_])/;

/** https://ai.google.dev/api/interactions-api */
export const interactionsSurfaces: readonly Surface[] = [
  surface(
    WIRE,
    'request',
    type('CreateModelInteractionParamsNonStreaming'),
    { depth: 2, base, skip: ELSEWHERE },
    (value = base) => driveRequest(WIRE, value),
  ),
  surface(
    WIRE,
    'request generation_config',
    type('GenerationConfig'),
    { depth: 2, base: generation_config },
    (value = generation_config) => driveRequest(WIRE, { ...base, generation_config: value }),
  ),
  surface(WIRE, 'request tools', type('Tool'), { depth: 1 }, (value) =>
    driveRequest(WIRE, { ...base, tools: value === undefined ? [] : [value] }),
  ),
  surface(WIRE, 'request steps', type('Step'), { depth: 1 }, (value = user) => say(user, value, user)),
  surface(WIRE, 'request content', type('Content'), { depth: 1 }, (value = text) =>
    say({ ...user, content: [text, value] }),
  ),
  surface(WIRE, 'response', type('Interaction'), { depth: 1, base: response, skip: ELSEWHERE }, (value = response) =>
    driveResponse(WIRE, value),
  ),
  surface(WIRE, 'response steps', type('Step'), { depth: 1 }, (value = output) => answer(output, value)),
  surface(WIRE, 'response content', type('Content'), { depth: 2 }, (value = text) =>
    answer({ ...output, content: [value] }),
  ),
  surface(WIRE, 'stream deltas', [['google', 'Interactions.StepDelta', 'delta']], { depth: 1 }, (value = text) =>
    stream({ type: 'model_output' }, text, value),
  ),
  surface(WIRE, 'usage', [['google', 'Interactions.Interaction', 'usage']], { depth: 2 }, (value) =>
    driveUsage(WIRE, value),
  ),
];
