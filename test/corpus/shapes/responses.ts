import { counted, frames, lineOf, made, type VendorShape } from './shape.ts';

const item = { type: 'message', id: 'msg_1', role: 'assistant' };
const text = { type: 'output_text', text: 'Oslo.', annotations: [] };
const thought = { type: 'reasoning', id: 'rs_1', summary: [] };
const shell = { id: 'resp_1', object: 'response', created_at: 1, model: 'one' };
const ofResponses = { input_tokens: 10, output_tokens: 5, total_tokens: 15, num_sources_used: 0 };
const output = [
  { ...thought, content: [{ type: 'reasoning_text', text: 'Hm.' }] },
  { ...item, content: [text] },
];
const finished = { ...shell, status: 'completed', output, usage: ofResponses };

const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'math', input: '4 + 4' };
const asked = { ...shell, status: 'completed', output: [custom], usage: ofResponses };

export const responses: readonly VendorShape[] = [
  made(
    'Bedrock: a text that is numbered 1 in the stream and 0 in the item',
    'responses',
    lineOf('bedrock-mantle', {
      sse: frames([
        { type: 'response.created', response: { ...shell, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: thought },
        { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, item_id: 'rs_1', delta: 'Hm.' },
        { type: 'response.output_item.done', output_index: 0, item: output[0] },
        { type: 'response.output_item.added', output_index: 1, item: { ...item, content: [] } },
        { type: 'response.output_text.delta', output_index: 1, content_index: 1, item_id: 'msg_1', delta: 'Oslo.' },
        { type: 'response.output_text.done', output_index: 1, content_index: 1, item_id: 'msg_1', text: 'Oslo.' },
        { type: 'response.output_item.done', output_index: 1, item: output[1] },
        { type: 'response.completed', response: finished },
      ]),
    }),
    { text: 'Oslo.', reasoning: 'Hm.', usage: counted },
  ),
  made(
    'LM Studio: reasoning that is shown whole, without a summary',
    'responses',
    lineOf('lmstudio', { body: finished }),
    { text: 'Oslo.', reasoning: 'Hm.', usage: counted },
  ),
  made('OpenAI: a call of a custom tool', 'responses', lineOf('openai', { body: asked }), {
    calls: [{ name: 'math', input: { input: '4 + 4' } }],
    usage: counted,
  }),
  made(
    'OpenAI: a streamed call of a custom tool',
    'responses',
    lineOf('openai', {
      sse: frames([
        { type: 'response.created', response: { ...shell, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...custom, input: '' } },
        { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ctc_1', delta: '4 + ' },
        { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ctc_1', delta: '4' },
        { type: 'response.output_item.done', output_index: 0, item: custom },
        { type: 'response.completed', response: asked },
      ]),
    }),
    { calls: [{ name: 'math', input: { input: '4 + 4' } }], usage: counted },
  ),
];
