import { isObject } from '../../../core/api/codec.ts';
import { driveCount, driveRequest, driveResponse, driveStream, driveUsage } from '../drive.ts';
import { listEvents } from './stream-events.ts';
import { surface, type Surface, type TypePath } from './surface.ts';

const WIRE = 'responses';
const tool = { type: 'function', name: 'words', parameters: { type: 'object' }, strict: false };
const base = { model: 'model', max_output_tokens: 100, input: 'Hi', tools: [tool] };
const counted = { model: 'model', input: 'Hi', tools: [tool] };
const user = { type: 'message', role: 'user', content: 'Hi' };
const call = (type: string) => ({ type, call_id: 'words', name: 'words', arguments: '{}', input: 'x' });

/** A result follows its call, and a call has a result. */
const withCalls = (item: unknown): readonly unknown[] => {
  const type = String(isObject(item) ? item['type'] : '');
  if (/^(?:function|custom_tool)_call_output$/.test(type)) return [user, call(type.replace('_output', '')), item];
  if (/^(?:function|custom_tool)_call$/.test(type))
    return [user, item, { type: `${type}_output`, call_id: 'words', output: 'x' }];
  return [user, item, user];
};
const say = (...items: readonly unknown[]) => driveRequest(WIRE, { ...base, input: items });

const text = { type: 'output_text', text: 'Hello', annotations: [] };
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] };
const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'model',
  error: null,
  incomplete_details: null,
  output: [message],
  usage,
};
const answer = (value: object) => driveResponse(WIRE, { ...response, ...value });

const part = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const empty = { ...message, status: 'in_progress', content: [] };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
const thought = { item_id: 'rs_1', output_index: 1, summary_index: 0 };
const functionCall = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'words', arguments: '' };
const customCall = { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_2', name: 'words', input: '' };
const refusal = { type: 'refusal', refusal: '' };

/** A stream with the events of each kind of content that has a canonical form. */
const events: readonly (readonly [type: string, members: object])[] = [
  ['response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } }],
  ['response.in_progress', { response: { ...response, status: 'in_progress', output: [], usage: null } }],
  ['response.output_item.added', { output_index: 0, item: empty }],
  ['response.content_part.added', { ...part, part: { ...text, text: '' } }],
  ['response.output_text.delta', { ...part, delta: 'Hel' }],
  ['response.output_text.delta', { ...part, delta: 'lo' }],
  [
    'response.output_text.annotation.added',
    {
      ...part,
      annotation_index: 0,
      annotation: { type: 'url_citation', url: 'https://example.com/', title: 'x', start_index: 0, end_index: 5 },
    },
  ],
  ['response.output_text.done', { ...part, text: 'Hello' }],
  ['response.content_part.done', { ...part, part: text }],
  ['response.content_part.added', { ...part, content_index: 1, part: refusal }],
  ['response.refusal.delta', { ...part, content_index: 1, delta: 'N' }],
  ['response.refusal.delta', { ...part, content_index: 1, delta: 'o' }],
  ['response.refusal.done', { ...part, content_index: 1, refusal: 'No' }],
  ['response.content_part.done', { ...part, content_index: 1, part: { ...refusal, refusal: 'No' } }],
  [
    'response.output_item.done',
    { output_index: 0, item: { ...message, content: [text, { ...refusal, refusal: 'No' }] } },
  ],
  ['response.output_item.added', { output_index: 1, item: reasoning }],
  ['response.reasoning_summary_part.added', { ...thought, part: { type: 'summary_text', text: '' } }],
  ['response.reasoning_summary_text.delta', { ...thought, delta: 'Thi' }],
  ['response.reasoning_summary_text.delta', { ...thought, delta: 'nk' }],
  ['response.reasoning_summary_text.done', { ...thought, text: 'Think' }],
  ['response.reasoning_summary_part.done', { ...thought, part: { type: 'summary_text', text: 'Think' } }],
  [
    'response.output_item.done',
    { output_index: 1, item: { ...reasoning, summary: [{ type: 'summary_text', text: 'Think' }] } },
  ],
  ['response.output_item.added', { output_index: 2, item: functionCall }],
  ['response.function_call_arguments.delta', { item_id: 'fc_1', output_index: 2, delta: '{"a"' }],
  ['response.function_call_arguments.delta', { item_id: 'fc_1', output_index: 2, delta: ':1}' }],
  ['response.function_call_arguments.done', { item_id: 'fc_1', output_index: 2, arguments: '{"a":1}' }],
  ['response.output_item.done', { output_index: 2, item: { ...functionCall, arguments: '{"a":1}' } }],
  ['response.output_item.added', { output_index: 3, item: customCall }],
  ['response.custom_tool_call_input.delta', { item_id: 'ct_1', output_index: 3, delta: 'a' }],
  ['response.custom_tool_call_input.delta', { item_id: 'ct_1', output_index: 3, delta: 'b' }],
  ['response.custom_tool_call_input.done', { item_id: 'ct_1', output_index: 3, input: 'ab' }],
  ['response.output_item.done', { output_index: 3, item: { ...customCall, input: 'ab' } }],
  ['response.output_item.added', { output_index: 4, item: { ...reasoning, id: 'rs_2' } }],
  ['response.reasoning_text.delta', { item_id: 'rs_2', output_index: 4, content_index: 0, delta: 'a' }],
  ['response.reasoning_text.delta', { item_id: 'rs_2', output_index: 4, content_index: 0, delta: 'b' }],
  ['response.reasoning_text.done', { item_id: 'rs_2', output_index: 4, content_index: 0, text: 'ab' }],
  [
    'response.output_item.done',
    { output_index: 4, item: { ...reasoning, id: 'rs_2', content: [{ type: 'reasoning_text', text: 'ab' }] } },
  ],
  ['response.completed', { response }],
];
const toFrames = (list: readonly object[]) =>
  list.map((event, index) => ({
    event: (event as { readonly type: string }).type,
    data: JSON.stringify({ ...event, sequence_number: index }),
  }));
const stream = (list: unknown) => driveStream(WIRE, toFrames(list as readonly object[]));
const streamEvents = events.map(([type, members]) => ({ type, ...members }));

const both = (beta: string, stable: string, ...members: readonly string[]): readonly TypePath[] => [
  ['responses', stable, ...members],
  ['betaResponses', beta, ...members],
];

/** Tools are a surface of their own, and what a call does is JSON of the model. */
const INSIDE = /^\[\w+\]\.(?:tools|actions?|operation)[.[]/;

export const responsesSurfaces: readonly Surface[] = [
  surface(
    WIRE,
    'request',
    both('ResponseCreateParamsBase', 'ResponseCreateParamsBase'),
    { depth: 3, base, skip: /^\.(?:model|input)$|^\.tools\[/ },
    (value = base) => driveRequest(WIRE, value),
  ),
  surface(WIRE, 'request tools', both('BetaTool', 'Tool'), { depth: 1 }, (value) =>
    driveRequest(WIRE, { ...base, tools: value === undefined ? [] : [value] }),
  ),
  surface(
    WIRE,
    'count request',
    [['responsesCount', 'InputTokenCountParams']],
    { depth: 1, base: counted, skip: /^\.(?:model|input)$|=|\[/ },
    (value = counted) => driveCount(WIRE, value),
  ),
  surface(
    WIRE,
    'request items',
    both('BetaResponseInputItem', 'ResponseInputItem'),
    { depth: 2, skip: INSIDE },
    (value = user) => say(...withCalls(value)),
  ),
  surface(WIRE, 'request content', both('BetaResponseInputContent', 'ResponseInputContent'), { depth: 1 }, (value) =>
    say({ ...user, content: value === undefined ? 'Hi' : [value] }),
  ),
  surface(
    WIRE,
    'response',
    both('BetaResponse', 'Response'),
    { depth: 1, base: response, skip: /^\.(?:output|usage|error)$/ },
    (value = response) => driveResponse(WIRE, value),
  ),
  surface(
    WIRE,
    'response items',
    both('BetaResponseOutputItem', 'ResponseOutputItem'),
    { depth: 2 },
    (value = message) => answer({ output: [value] }),
  ),
  surface(
    WIRE,
    'response content',
    both('BetaResponseOutputMessage', 'ResponseOutputMessage', 'content', '[]'),
    { depth: 2 },
    (value = text) => answer({ output: [{ ...message, content: [value] }] }),
  ),
  surface(WIRE, 'response error', both('BetaResponseError', 'ResponseError', 'code'), { depth: 0 }, (code) =>
    answer({ status: 'failed', error: { code, message: 'words' } }),
  ),
  surface(
    WIRE,
    'response incomplete',
    both('BetaResponse', 'Response', 'incomplete_details', 'reason'),
    { depth: 0 },
    (reason) => answer({ status: 'incomplete', incomplete_details: { reason } }),
  ),
  {
    wire: WIRE,
    name: 'stream events',
    list: (types) => listEvents(types, both('BetaResponseStreamEvent', 'ResponseStreamEvent'), streamEvents),
    drive: stream,
  },
  surface(WIRE, 'usage', both('BetaResponseUsage', 'ResponseUsage'), { depth: 2 }, (value) => driveUsage(WIRE, value)),
];
