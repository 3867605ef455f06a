import type { GenerationWire } from './wires.ts';

const sse = (...events: readonly (readonly [name: string, data: object])[]): string =>
  events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`).join('');
const data = (...chunks: readonly (object | string)[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');

const chunk = (choice: object): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, ...choice }],
});
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const usage = { input_tokens: 1, output_tokens: 1 };
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
};

const item = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'ok', annotations: [] }],
};
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [item],
  usage: { ...usage, total_tokens: 2 },
};

const content = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'm',
  responseId: 'r',
};

const interaction = { id: 'v1_1', object: 'interaction', model: 'm' };
const interactionEnd = {
  ...interaction,
  status: 'completed',
  usage: { total_input_tokens: 1, total_output_tokens: 1, total_thought_tokens: 0, total_tokens: 2 },
};
const steps = (...events: readonly (readonly [type: string, data: object])[]): string =>
  events
    .map(([type, members]) => `event: ${type}\ndata: ${JSON.stringify({ ...members, event_type: type })}\n\n`)
    .join('');

/** A successful response of each wire, so that a request completes and its losses are reported. */
export const sampleAnswers: Readonly<Record<GenerationWire, { readonly plain: string; readonly streamed: string }>> = {
  'chat-completions': {
    plain: JSON.stringify(completion),
    streamed: data(
      chunk({ delta: { role: 'assistant', content: 'ok' }, finish_reason: null }),
      chunk({ delta: {}, finish_reason: 'stop' }),
      '[DONE]',
    ),
  },
  'messages': {
    plain: JSON.stringify(message),
    streamed: sse(
      ['message_start', { message: { ...message, content: [], stop_reason: null } }],
      ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'ok' } }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }],
      ['message_stop', {}],
    ),
  },
  'responses': {
    plain: JSON.stringify(response),
    streamed: sse(
      ['response.created', { sequence_number: 0, response: { ...response, status: 'in_progress', output: [] } }],
      [
        'response.output_item.added',
        { sequence_number: 1, output_index: 0, item: { ...item, content: [], status: 'in_progress' } },
      ],
      ['response.output_item.done', { sequence_number: 2, output_index: 0, item }],
      ['response.completed', { sequence_number: 3, response }],
    ),
  },
  'generate-content': { plain: JSON.stringify(content), streamed: data(content) },
  'interactions': {
    plain: JSON.stringify({
      ...interactionEnd,
      steps: [{ type: 'model_output', content: [{ type: 'text', text: 'ok' }] }],
    }),
    streamed: `${steps(
      ['interaction.created', { interaction: { ...interaction, status: 'in_progress' } }],
      ['step.start', { index: 0, step: { type: 'model_output' } }],
      ['step.delta', { index: 0, delta: { type: 'text', text: 'ok' } }],
      ['step.stop', { index: 0 }],
      ['interaction.completed', { interaction: interactionEnd }],
    )}event: done\ndata: [DONE]\n\n`,
  },
};
