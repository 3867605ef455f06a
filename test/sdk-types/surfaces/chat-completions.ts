import { driveRequest, driveResponse, driveStream, driveUsage } from '../drive.ts';
import { surface, type Surface, type TypePath } from './surface.ts';

const WIRE = 'chat-completions';
const user = { role: 'user', content: 'Hi' };
const tool = { type: 'function', function: { name: 'words', description: 'words' } };
const base = { model: 'model', max_completion_tokens: 100, messages: [user], tools: [tool] };
const call = { id: 'words', type: 'function', function: { name: 'words', arguments: '{}' } };

/** A result follows its call, and a call has a result. */
const withTools = (message: unknown): readonly unknown[] => {
  const { role, tool_calls: calls } = Object(message) as { readonly role?: unknown; readonly tool_calls?: unknown };
  if (role === 'system' || role === 'developer') return [message, user];
  if (role === 'tool') return [user, { role: 'assistant', tool_calls: [call] }, message];
  return [user, message, ...(calls === undefined ? [user] : [{ role: 'tool', tool_call_id: 'words', content: 'x' }])];
};

const say = (messages: readonly unknown[]) => driveRequest(WIRE, { ...base, messages });

const message = { role: 'assistant', content: 'Hello' };
const choice = { index: 0, message, finish_reason: 'stop' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const response = { id: 'c', object: 'chat.completion', created: 1, model: 'model', choices: [choice], usage };

const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'model' };
const stream = (...chunks: readonly object[]) =>
  driveStream(WIRE, [
    ...chunks.map((one) => ({ event: undefined, data: JSON.stringify(one) })),
    { event: undefined, data: '[DONE]' },
  ]);
const first = { index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null };
const last = { index: 0, delta: { content: '!' }, finish_reason: 'stop' };
const callStream = (value: unknown) =>
  stream(
    { ...chunk, choices: [{ ...first, delta: { role: 'assistant', tool_calls: [value] } }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  );
const callType: TypePath = ['chat', 'ChatCompletionChunk', 'choices', '[]', 'delta', 'tool_calls', '[]'];
const functionCall = { index: 1, id: 'words', function: { name: 'words', arguments: '{}' } };
const customCall = { index: 1, id: 'words', type: 'custom', custom: { name: 'words', input: 'words' } };

export const chatSurfaces: readonly Surface[] = [
  surface(
    WIRE,
    'request',
    [['chat', 'ChatCompletionCreateParamsBase']],
    { depth: 3, base, skip: /^\.(?:model|messages)$/ },
    (value = base) => driveRequest(WIRE, value),
  ),
  surface(WIRE, 'request messages', [['chat', 'ChatCompletionMessageParam']], { depth: 3 }, (value = user) =>
    say(withTools(value)),
  ),
  surface(
    WIRE,
    'response',
    [['chat', 'ChatCompletion']],
    { depth: 2, base: response, skip: /^\.(?:choices|usage)$/ },
    (value = response) => driveResponse(WIRE, value),
  ),
  surface(
    WIRE,
    'response choices',
    [['chat', 'ChatCompletion', 'choices', '[]']],
    { depth: 3, base: choice },
    (value = choice) => driveResponse(WIRE, { ...response, choices: [value] }),
  ),
  surface(
    WIRE,
    'chunk',
    [['chat', 'ChatCompletionChunk']],
    { depth: 2, base: chunk, skip: /^\.(?:choices|usage)$/ },
    (value = chunk) =>
      stream(
        ...[[first], [last], []].map((choices) => ({ ...Object(value), choices, ...(choices[0] ? {} : { usage }) })),
      ),
  ),
  surface(
    WIRE,
    'chunk choices',
    [['chat', 'ChatCompletionChunk', 'choices', '[]']],
    { depth: 3, base: last, skip: /^\.delta\.tool_calls\[/ },
    (value = last) => stream({ ...chunk, choices: [first] }, { ...chunk, choices: [value] }),
  ),
  surface(WIRE, 'chunk calls', [callType], { depth: 2, base: functionCall, skip: /^\.custom/ }, callStream),
  surface(WIRE, 'chunk custom calls', [callType], { depth: 2, base: customCall, skip: /^\.function/ }, callStream),
  surface(WIRE, 'usage', [['chat', 'ChatCompletion', 'usage']], { depth: 2 }, (value) => driveUsage(WIRE, value)),
];
