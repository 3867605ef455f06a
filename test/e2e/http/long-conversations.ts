import type { Json, Wire } from '../../matrix/wires.ts';

/** Nearly as many as a body may have. */
const PARTS = 99_000;
const number = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `call_${index}`);
/** Ids that no wire takes: each has to be given another, and none may get that of a neighbour. */
const odd = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index));

/** How a wire writes one turn of many. */
interface Writer {
  readonly user: Json;
  /** One turn of many parts. */
  readonly parts: (count: number) => Json;
  /** All calls of one turn, and all their results in the order given. */
  readonly calls: (ids: readonly string[]) => readonly Json[];
  readonly results: (ids: readonly string[]) => readonly Json[];
  readonly body: (turns: readonly Json[]) => Json;
}

const listOf = (count: number, part: Json): readonly Json[] => Array.from({ length: count }, () => part);

const chat: Writer = {
  user: { role: 'user', content: 'x' },
  parts: (count) => ({ role: 'user', content: listOf(count, { type: 'text', text: 'x' }) }),
  calls: (ids) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
    },
  ],
  results: (ids) => ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' })),
  body: (messages) => ({ messages }),
};
const messages: Writer = {
  user: { role: 'user', content: 'x' },
  parts: (count) => ({ role: 'user', content: listOf(count, { type: 'text', text: 'x' }) }),
  calls: (ids) => [{ role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) }],
  results: (ids) => [
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })) },
  ],
  body: (turns) => ({ max_tokens: 100, messages: turns }),
};
const responses: Writer = {
  user: { role: 'user', content: 'x' },
  parts: (count) => ({ role: 'user', content: listOf(count, { type: 'input_text', text: 'x' }) }),
  calls: (ids) => ids.map((id) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })),
  results: (ids) => ids.map((id) => ({ type: 'function_call_output', call_id: id, output: 'x' })),
  body: (input) => ({ input }),
};
const google: Writer = {
  user: { role: 'user', parts: [{ text: 'x' }] },
  parts: (count) => ({ role: 'user', parts: listOf(count, { text: 'x' }) }),
  calls: (ids) => [{ role: 'model', parts: ids.map((id) => ({ functionCall: { id, name: 'f', args: {} } })) }],
  results: (ids) => [
    { role: 'user', parts: ids.map((id) => ({ functionResponse: { id, name: 'f', response: { output: 'x' } } })) },
  ],
  body: (contents) => ({ contents }),
};
const writers: Readonly<Record<Wire, Writer>> = { chat, messages, responses, google };

/** A conversation of a length. */
type Growing = (count: number) => Json;

const commonGrowing = ({ user, calls, results, body }: Writer): Readonly<Record<string, Growing>> => ({
  'one call id many times': (count) => body([user, ...calls(number(count).map(() => 'same')), ...results(['same'])]),
  'results in reverse order': (count) => body([user, ...calls(number(count)), ...results(number(count).toReversed())]),
  'many short turns of one role': (count) => body(listOf(count, user)),
  'calls and results by turns': (count) =>
    body([user, ...number(count).flatMap((id) => [...calls([id]), ...results([id])])]),
  'ids that no wire takes': (count) => body([user, ...calls(odd(count)), ...results(odd(count))]),
});

/** What only one wire can write. */
const ownGrowing: Readonly<Record<Wire, Readonly<Record<string, Growing>>>> = {
  chat: {},
  messages: {},
  responses: {
    'reasoning before every call': (count) =>
      responses.body([
        responses.user,
        ...number(count).flatMap((id) => [
          { type: 'reasoning', id: `rs_${id}`, summary: [{ type: 'summary_text', text: 'x' }], encrypted_content: 'x' },
          ...responses.calls([id]),
        ]),
        ...responses.results(number(count)),
      ]),
  },
  google: {
    'calls of one function without ids': (count) =>
      google.body([
        google.user,
        { role: 'model', parts: listOf(count, { functionCall: { name: 'f', args: {} } }) },
        { role: 'user', parts: listOf(count, { functionResponse: { name: 'f', response: { output: 'x' } } }) },
      ]),
    'an answer put back chunk by chunk': (count) =>
      google.body([google.user, ...listOf(count, { role: 'model', parts: [{ text: 'x' }] }), google.user]),
  },
};

const ownWide: Readonly<Record<Wire, Readonly<Record<string, Json>>>> = {
  chat: {
    'many system messages': chat.body([...listOf(PARTS, { role: 'system', content: 'x' }), chat.user]),
    'many messages of the assistant': chat.body([
      chat.user,
      ...listOf(PARTS, { role: 'assistant', content: 'x' }),
      chat.user,
    ]),
    'a call and many messages behind it': chat.body([
      chat.user,
      ...chat.calls(['a']),
      ...chat.results(['a']),
      ...listOf(PARTS, chat.user),
    ]),
  },
  messages: {
    'many blocks of the system prompt': {
      ...messages.body([messages.user]),
      system: listOf(PARTS, { type: 'text', text: 'x' }),
    },
  },
  responses: {
    'many parts in one message of the assistant': responses.body([
      responses.user,
      { role: 'assistant', content: listOf(PARTS, { type: 'output_text', text: 'x' }) },
      responses.user,
    ]),
    'one message after the other from the assistant': responses.body([
      responses.user,
      ...listOf(PARTS, { role: 'assistant', content: 'x' }),
      responses.user,
    ]),
  },
  google: {
    'many parts in the system instruction': {
      ...google.body([google.user]),
      systemInstruction: { parts: listOf(PARTS, { text: 'x' }) },
    },
  },
};

/** Conversations whose cost would grow with the square of their length if anything in them were searched one by one. */
export const growingConversations = (client: Wire): Readonly<Record<string, Growing>> => ({
  ...commonGrowing(writers[client]),
  ...ownGrowing[client],
});

/** Lists that are too long for the arguments of a function. */
export const wideConversations = (client: Wire): Readonly<Record<string, Json>> => ({
  'many parts in one turn': writers[client].body([writers[client].parts(PARTS)]),
  ...ownWide[client],
});
