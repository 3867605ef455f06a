import type { Client, Json, Turn } from './client.ts';

/** One case of the acceptance suite. */
export interface Template {
  /** As in the suite. */
  readonly id: string;
  /** Returns what is wrong. */
  readonly run: (client: Client) => Promise<readonly string[]>;
}

const say = (text: string, role = 'user'): Json => ({ type: 'message', role, content: text });
const weather: Json = {
  type: 'function',
  name: 'get_weather',
  description: 'Get the current weather for a location',
  parameters: {
    type: 'object',
    properties: { location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' } },
    required: ['location'],
  },
};
/** A red dot. */
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const TXT = `data:text/plain;base64,${Buffer.from('The code word is cobalt.').toString('base64')}`;

const expectCompleted = ({ response, code, complaints }: Turn): readonly string[] => [
  ...complaints,
  ...(code === undefined ? [] : [`failed with ${code}`]),
  ...(response.status === 'completed' ? [] : [`status ${response.status}`]),
  ...((response.output ?? []).length > 0 ? [] : ['no output']),
];
const expectCall = ({ response, complaints }: Turn): readonly string[] => [
  ...complaints,
  ...(response.output?.some(({ type }) => type === 'function_call') === true ? [] : ['no function_call']),
];
const expectEvents = ({ events }: Turn, ...wanted: readonly string[]): readonly string[] => {
  const types = new Set(events.map(({ type }) => type));
  return wanted.filter((type) => !types.has(type)).map((type) => `no event ${type}`);
};
const expectCode = (turn: Turn | undefined, code: string): readonly string[] =>
  turn?.code === code ? turn.complaints : [`${turn?.code ?? 'no error'} in place of ${code}`];

const plain = (id: string, body: Json, expect = expectCompleted): Template => ({
  id,
  run: async (client) => expect(await client.plain(body)),
});

/** The templates by HTTP: https://github.com/openresponses/openresponses/blob/main/src/lib/compliance-tests.ts */
const byHttp: readonly Template[] = [
  plain('basic-response', { input: [say('Say hello in exactly 3 words.')] }),
  {
    id: 'streaming-response',
    run: async (client) => {
      const turn = await client.stream({ input: [say('Count from 1 to 5.')] });
      return [
        ...expectCompleted(turn),
        ...expectEvents(turn, 'response.created', 'response.output_text.delta', 'response.completed'),
      ];
    },
  },
  plain('system-prompt', { input: [say('You are a pirate. Respond in pirate speak.', 'system'), say('Say hello.')] }),
  plain('tool-calling', { input: [say("What's the weather like in San Francisco?")], tools: [weather] }, expectCall),
  {
    id: 'tool-calling-streaming',
    run: async (client) => {
      const turn = await client.stream({ input: [say("What's the weather in San Francisco?")], tools: [weather] });
      const items = ['added', 'done'].filter(
        (end) =>
          !turn.events.some(
            ({ type, item }) =>
              type === `response.output_item.${end}` && (item as Json | undefined)?.['type'] === 'function_call',
          ),
      );
      return [
        ...expectCall(turn),
        ...items.map((end) => `no function_call is ${end}`),
        ...expectEvents(turn, 'response.function_call_arguments.delta', 'response.function_call_arguments.done'),
      ];
    },
  },
  {
    id: 'function-call-round-trip',
    run: async (client) => {
      const question = say("What's the weather like in San Francisco?");
      const first = await client.plain({ input: [question], tools: [weather] });
      const call = first.response.output?.find(({ type }) => type === 'function_call');
      if (call === undefined) return ['no function_call'];
      const output = { type: 'function_call_output', call_id: call['call_id'], output: '18 degrees, sunny' };
      const input = [question, ...(first.response.output ?? []), output];
      return expectCompleted(await client.plain({ input, tools: [weather] }));
    },
  },
  plain('image-input', {
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What do you see? Answer in one sentence.' },
          { type: 'input_image', image_url: PNG },
        ],
      },
    ],
  }),
  plain('file-input', {
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is the code word?' },
          { type: 'input_file', filename: 'note.txt', file_data: TXT },
        ],
      },
    ],
  }),
  plain('multi-turn', {
    input: [say('My name is Alice.'), say('Hello Alice! Nice to meet you.', 'assistant'), say('What is my name?')],
  }),
  plain('assistant-phases', {
    input: [
      say('What is 2 + 2?'),
      { ...say('I add the numbers.', 'assistant'), phase: 'commentary' },
      { ...say('Four.', 'assistant'), phase: 'final_answer' },
      say('Thanks. And 3 + 3?'),
    ],
  }),
  {
    id: 'compaction',
    run: async (client) => {
      const input = [say('The code word is copper.'), say('Understood.', 'assistant')];
      const { output, complaints } = await client.compact(input);
      const item = output.find(({ type }) => type === 'compaction');
      if (item === undefined) return [...complaints, 'no compaction item'];
      return [...complaints, ...expectCompleted(await client.plain({ input: [...output, say('What is the word?')] }))];
    },
  },
];

const create =
  (body: Json): (() => Json) =>
  () => ({ store: false, ...body });
const after =
  (body: Json): ((turns: readonly Turn[]) => Json) =>
  ([first]) => ({ store: false, previous_response_id: first?.response.id, ...body });

/** The templates over WebSocket. */
const bySocket: readonly Template[] = [
  {
    id: 'websocket-response',
    run: async (client) =>
      (await client.socket(() => ({ input: [say('Count from 1 to 3.')] }))).flatMap(expectCompleted),
  },
  {
    id: 'websocket-sequential-responses',
    run: async (client) =>
      (
        await client.socket(create({ input: 'Reply with exactly: first' }), create({ input: 'Reply with: second' }))
      ).flatMap(expectCompleted),
  },
  {
    id: 'websocket-continuation',
    run: async (client) =>
      (
        await client.socket(create({ input: 'The code word is cobalt.' }), after({ input: 'What is the code word?' }))
      ).flatMap(expectCompleted),
  },
  {
    id: 'websocket-reconnect-store-false-recovery',
    run: async (client) => {
      const [first] = await client.socket(create({ input: 'The code word is copper.' }));
      const [missing, recovered] = await client.socket(
        create({ input: 'What is the code word?', previous_response_id: first?.response.id }),
        create({ input: 'The code word is copper. What is it?' }),
      );
      return [
        ...expectCode(missing, 'previous_response_not_found'),
        ...(recovered === undefined ? ['no recovery'] : expectCompleted(recovered)),
      ];
    },
  },
  {
    id: 'websocket-generate-false',
    run: async (client) => {
      const [warmed, second] = await client.socket(
        create({ input: 'Prepare to answer.', generate: false }),
        after({ input: 'Reply with exactly: warmed' }),
      );
      return [
        ...(warmed?.complaints ?? []),
        ...((warmed?.response.output ?? []).length === 0 ? [] : ['the warm-up has output']),
        ...(second === undefined ? ['no second turn'] : expectCompleted(second)),
      ];
    },
  },
  {
    id: 'websocket-previous-response-not-found',
    run: async (client) =>
      expectCode(
        (await client.socket(create({ input: 'This fails.', previous_response_id: 'resp_missing' })))[0],
        'previous_response_not_found',
      ),
  },
  {
    id: 'websocket-failed-continuation-evicts-cache',
    run: async (client) => {
      const output = { type: 'function_call_output', call_id: 'call_missing', output: 'No call has this id.' };
      const [first, failed, stale] = await client.socket(
        create({ input: 'The code word is ember.' }),
        after({ input: [output] }),
        after({ input: 'Continue after the failed turn.' }),
      );
      return [
        ...(first?.complaints ?? []),
        ...(failed?.code === undefined ? ['the turn did not fail'] : failed.complaints),
        ...expectCode(stale, 'previous_response_not_found'),
      ];
    },
  },
  {
    id: 'websocket-compact-new-chain',
    run: async (client) => {
      const { output, complaints } = await client.compact([say('The code word is zinc.'), say('Noted.', 'assistant')]);
      const turns = await client.socket(create({ input: [...output, say('What is the code word?')] }));
      return [...complaints, ...turns.flatMap(expectCompleted)];
    },
  },
];

export const templates: readonly Template[] = [...byHttp, ...bySocket];
