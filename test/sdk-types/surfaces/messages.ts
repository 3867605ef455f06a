import { isObject } from '../../../core/api/codec.ts';
import { driveCount, driveError, driveRequest, driveResponse, driveStream, driveUsage } from '../drive.ts';
import { listEvents } from './stream-events.ts';
import { surface, type Surface, type TypePath } from './surface.ts';

const WIRE = 'messages';
const user = { role: 'user', content: 'Hi' };
const tool = { name: 'words', input_schema: { type: 'object' } };
const base = { model: 'model', max_tokens: 10_000, messages: [user], tools: [tool] };
const counted = { model: 'model', messages: [user], tools: [tool] };
const say = (...messages: readonly unknown[]) => driveRequest(WIRE, { ...base, messages });

const call = { type: 'tool_use', id: 'words', name: 'words', input: {} };
const result = { type: 'tool_result', tool_use_id: 'words', content: 'x' };
const text = { type: 'text', text: 'Hello' };

/** A block in a turn of the user, and in one of the assistant. A result follows its call, and a call has a result. */
const sayBlock = (block: unknown) => {
  const type = isObject(block) ? block['type'] : undefined;
  if (type === 'tool_result')
    return say(user, { role: 'assistant', content: [call] }, { role: 'user', content: [block] });
  if (type === 'tool_use')
    return say(user, { role: 'assistant', content: [block] }, { role: 'user', content: [result] });
  return [
    ...say({ role: 'user', content: [block, text] }),
    ...say(user, { role: 'assistant', content: [block, text] }, user),
  ];
};

const usage = { input_tokens: 1, output_tokens: 1 };
const response = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'model',
  content: [text],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
};

const refused = { ...response, stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'words' } };

const start = { type: 'message_start', message: { ...response, content: [], stop_reason: null } };
const end = [
  { type: 'message_delta', delta: { stop_reason: 'max_tokens', stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];
const block = (content: unknown, ...deltas: readonly unknown[]) => [
  { type: 'content_block_start', index: 0, content_block: content },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  { type: 'content_block_stop', index: 0 },
];
const stream = (events: unknown) =>
  driveStream(
    WIRE,
    (events as readonly { readonly type: string }[]).map((event) => ({
      event: event.type,
      data: JSON.stringify(event),
    })),
  );
const events = [start, ...block({ ...text, text: '' }, { type: 'text_delta', text: 'Hello' }), ...end];

/** The block in which a delta occurs. */
const blockOf: Readonly<Record<string, object>> = {
  input_json_delta: { ...call, input: {} },
  thinking_delta: { type: 'thinking', thinking: '', signature: '' },
  signature_delta: { type: 'thinking', thinking: '', signature: '' },
  compaction_delta: { type: 'compaction', content: null },
};
const streamDelta = (delta: unknown) => {
  const type = String(isObject(delta) ? delta['type'] : '');
  return Object.values({ [type]: blockOf[type] ?? { ...text, text: '' }, ...blockOf }).flatMap((content) =>
    stream([start, ...block(content, delta), ...end]),
  );
};

const fail = (error: object) =>
  [400, 403, 429, 500].flatMap((status) =>
    driveError(WIRE, status, { type: 'error', error: { type: 'invalid_request_error', message: 'words', ...error } }),
  );

const both = (beta: string, stable: string, ...members: readonly string[]): readonly TypePath[] => [
  ['betaMessages', beta, ...members],
  ['messages', stable, ...members],
];

export const messagesSurfaces: readonly Surface[] = [
  surface(
    WIRE,
    'request',
    both('MessageCreateParamsBase', 'MessageCreateParamsBase'),
    { depth: 3, base, skip: /^\.(?:model|messages|betas|workspace_id|user_profile_id)$|^\.tools\[|^\.system\[/ },
    (value = base) => driveRequest(WIRE, value),
  ),
  surface(
    WIRE,
    'count request',
    both('MessageCountTokensParams', 'MessageCountTokensParams'),
    {
      depth: 1,
      base: counted,
      skip: /^\.(?:model|messages|betas|workspace_id|user_profile_id)$|=|\[/,
    },
    (value = counted) => driveCount(WIRE, value),
  ),
  surface(WIRE, 'request tools', both('BetaToolUnion', 'ToolUnion'), { depth: 1 }, (value) =>
    driveRequest(WIRE, { ...base, tools: value === undefined ? [] : [value] }),
  ),
  surface(WIRE, 'request messages', both('BetaMessageParam', 'MessageParam'), { depth: 1 }, (value = user) =>
    say(user, value, user),
  ),
  surface(WIRE, 'request blocks', both('BetaContentBlockParam', 'ContentBlockParam'), { depth: 2 }, (value = text) =>
    sayBlock(value),
  ),
  surface(
    WIRE,
    'request blocks of system messages',
    [['betaMessages', 'BetaSystemMessageParam', 'content', '[]']],
    { depth: 1 },
    (value = text) => say(user, { role: 'system', content: [value] }, user),
  ),
  surface(
    WIRE,
    'response',
    both('BetaMessage', 'Message'),
    { depth: 2, base: response, skip: /^\.(?:content|usage|stop_details)$/ },
    (value = response) => driveResponse(WIRE, value),
  ),
  surface(
    WIRE,
    'response with a refusal',
    both('BetaMessage', 'Message'),
    { depth: 2, base: refused, skip: /^(?!\.stop_details)/ },
    (value = refused) => driveResponse(WIRE, value),
  ),
  surface(WIRE, 'response blocks', both('BetaContentBlock', 'ContentBlock'), { depth: 2 }, (value = text) =>
    driveResponse(WIRE, { ...response, content: [value, text] }),
  ),
  {
    wire: WIRE,
    name: 'stream events',
    list: (types) => listEvents(types, both('BetaRawMessageStreamEvent', 'RawMessageStreamEvent'), events),
    drive: stream,
  },
  surface(WIRE, 'stream blocks', both('BetaContentBlock', 'ContentBlock'), { depth: 1 }, (value = text) =>
    stream([start, ...block(value), ...end]),
  ),
  surface(WIRE, 'stream deltas', both('BetaRawContentBlockDelta', 'RawContentBlockDelta'), { depth: 2 }, streamDelta),
  surface(
    WIRE,
    'stream message_delta',
    both('BetaRawMessageDeltaEvent', 'RawMessageDeltaEvent'),
    { depth: 2, base: end[0]!, skip: /^\.usage/ },
    (value = end[0]) => stream([start, ...block(text), value, end[1]]),
  ),
  surface(WIRE, 'error types', [['shared', 'ErrorObject']], { depth: 1 }, (value) => fail(Object(value))),
  surface(WIRE, 'error codes', [['shared', 'ErrorDetails']], { depth: 1 }, (details) => fail({ details })),
  surface(WIRE, 'usage', both('BetaUsage', 'Usage'), { depth: 2 }, (value) => driveUsage(WIRE, value)),
];
