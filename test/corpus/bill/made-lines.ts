import type { CorpusLine, Json } from '../lines.ts';
import type { GenerationWire } from '../wires.ts';

/** Responses that say `Hello`, with these members and this usage: plain, and as the events of a stream. */
interface MadeResponse {
  readonly plain: Json;
  readonly events: readonly Json[];
}

type Make = (model: string, usage: Json, members: Json) => MadeResponse;

const chat: Make = (model, usage, members) => {
  const id = { id: 'chatcmpl-1', created: 1, model };
  const choice = { index: 0, finish_reason: 'stop' };
  return {
    plain: {
      ...id,
      object: 'chat.completion',
      choices: [{ ...choice, message: { role: 'assistant', content: 'Hello' } }],
      usage,
      ...members,
    },
    events: [
      { ...id, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hello' } }], ...members },
      { ...id, object: 'chat.completion.chunk', choices: [{ ...choice, delta: {} }] },
      { ...id, object: 'chat.completion.chunk', choices: [], usage },
    ],
  };
};

/** The members are those of the last event of the stream. */
const messages: Make = (model, usage, members) => {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model };
  const stop = { stop_reason: 'end_turn', stop_sequence: null };
  const { output_tokens: output, iterations, server_tool_use: tools, ...begun } = usage;
  return {
    plain: { ...message, content: [{ type: 'text', text: 'Hello' }], ...stop, usage },
    events: [
      { type: 'message_start', message: { ...message, content: [], usage: { ...begun, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: { output_tokens: output, iterations, server_tool_use: tools } },
      { type: 'message_stop', ...members },
    ],
  };
};

/** The members can have items of the output that come before the message. */
const responses: Make = (model, usage, { output, ...members }) => {
  const earlier: readonly unknown[] = Array.isArray(output) ? output : [];
  const place = { output_index: earlier.length };
  const content = [{ type: 'output_text', text: 'Hello', annotations: [] }];
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  const shell = { id: 'resp_1', object: 'response', created_at: 1, model, ...members };
  const whole = { ...shell, status: 'completed', output: [...earlier, item], usage };
  return {
    plain: whole,
    events: [
      { type: 'response.created', response: { ...shell, status: 'in_progress', output: [] } },
      ...earlier.map((done, index) => ({ type: 'response.output_item.done', output_index: index, item: done })),
      { type: 'response.output_item.added', ...place, item: { ...item, content: [] } },
      { type: 'response.output_text.delta', ...place, content_index: 0, item_id: 'msg_1', delta: 'Hello' },
      { type: 'response.output_item.done', ...place, item },
      { type: 'response.completed', response: whole },
    ],
  };
};

const google: Make = (model, usage, members) => {
  const content = { role: 'model', parts: [{ text: 'Hello' }] };
  const whole = { candidates: [{ index: 0, content, finishReason: 'STOP', ...members }], modelVersion: model };
  return { plain: { ...whole, usageMetadata: usage }, events: [{ ...whole, usageMetadata: usage }] };
};

/** The members can have steps that come before the text, and the tier. */
const interactions: Make = (model, usage, { steps, ...members }) => {
  const earlier: readonly unknown[] = Array.isArray(steps) ? steps : [];
  const head = { id: 'v1_1', object: 'interaction', model };
  const index = earlier.length;
  return {
    plain: {
      ...head,
      status: 'completed',
      steps: [...earlier, { type: 'model_output', content: [{ type: 'text', text: 'Hello' }] }],
      usage,
      ...members,
    },
    events: [
      { event_type: 'interaction.created', interaction: { ...head, status: 'in_progress' } },
      ...earlier.flatMap((step, place) => [
        { event_type: 'step.start', index: place, step },
        { event_type: 'step.stop', index: place },
      ]),
      { event_type: 'step.start', index, step: { type: 'model_output' } },
      { event_type: 'step.delta', index, delta: { type: 'text', text: 'Hello' } },
      { event_type: 'step.stop', index },
      { event_type: 'interaction.completed', interaction: { ...head, status: 'completed', usage, ...members } },
    ],
  };
};

const makers: Readonly<Record<GenerationWire, Make>> = {
  'chat-completions': chat,
  'messages': messages,
  'responses': responses,
  'generate-content': google,
  'interactions': interactions,
};

const writeEvents = (events: readonly Json[]): string =>
  events
    .map((event) => {
      const name = event['type'] ?? event['event_type'];
      return `${typeof name === 'string' ? `event: ${name}\n` : ''}data: ${JSON.stringify(event)}`;
    })
    .join('\n\n')
    .concat('\n\n');

/** What follows the last event. */
const ends: Readonly<Partial<Record<GenerationWire, string>>> = {
  'chat-completions': 'data: [DONE]\n\n',
  'interactions': 'event: done\ndata: [DONE]\n\n',
};

/** The plain and the streamed response with one usage object, like lines of the corpus. */
export const makeLines = (
  wire: GenerationWire,
  model: string,
  usage: Json,
  members: Json = {},
): readonly CorpusLine[] => {
  const { plain, events } = makers[wire](model, usage, members);
  const request = { method: 'POST', path: '/', headers: {}, body: { model } };
  const sse = writeEvents(events) + (ends[wire] ?? '');
  const shared = { provider: 'openai', style: wire, model, request };
  return [
    { ...shared, id: 'plain', stream: false, response: { status: 200, headers: {}, body: plain } },
    { ...shared, id: 'streamed', stream: true, response: { status: 200, headers: {}, sse } },
  ];
};
