import { LLMock } from '@copilotkit/aimock';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { answerStrictly, type Say } from '../support/strict-vendors/answers.ts';
import { jsonOf, listOf } from '../support/strict-vendors/rule.ts';
import { startUpstream } from '../support/upstream.ts';

/** A kind of target, behind which every judge runs. */
export interface Kind {
  readonly name: string;
  readonly provider: (url: string) => object;
  /** The name of the model at its vendor. */
  readonly model: string;
  /** The wire, if it is not the first that the provider has. */
  readonly wire?: string;
  /** The upstream. aimock has reasoning of two vendors in members that they do not have. */
  readonly upstream?: 'strict-vendors';
}

const apiKey = 'upstream-secret';

/** One target of each wire that the gateway writes, at an upstream that is not part of this project. */
export const kinds: readonly Kind[] = [
  { name: 'simulator', provider: () => ({ use: 'simulator' }), model: 'chat' },
  {
    name: 'chat-completions',
    provider: (url) => ({ use: 'openai-compatible', config: { apiKey, baseUrl: `${url}/v1` } }),
    model: 'house-model',
  },
  {
    name: 'messages',
    provider: (url) => ({ use: 'anthropic', config: { apiKey, baseUrl: url } }),
    model: 'claude-sonnet-4-5',
  },
  {
    name: 'generate-content',
    provider: (url) => ({ use: 'google', config: { apiKey, baseUrl: url } }),
    model: 'gemini-2.5-flash',
    wire: 'generate-content',
  },
  {
    name: 'interactions',
    provider: (url) => ({ use: 'google', config: { apiKey, baseUrl: url } }),
    model: 'gemini-3.5-flash',
    wire: 'interactions',
  },
  {
    name: 'bedrock-converse',
    provider: (url) => ({ use: 'bedrock', config: { apiKey, region: 'eu-west-1', baseUrl: url } }),
    model: 'amazon.nova-pro-v1:0',
  },
  {
    name: 'mistral',
    provider: (url) => ({ use: 'mistral', config: { apiKey, baseUrl: `${url}/v1` } }),
    model: 'mistral-small-latest',
  },
  {
    name: 'cohere',
    provider: (url) => ({ use: 'cohere', config: { apiKey, baseUrl: url } }),
    model: 'command-a-plus-05-2026',
    upstream: 'strict-vendors',
  },
  {
    name: 'ollama',
    provider: (url) => ({ use: 'ollama', config: { baseUrl: url } }),
    model: 'qwen3',
    upstream: 'strict-vendors',
  },
];

export const MODEL = 'judged/model';
const everyWire = ['chat-completions', 'completions', 'messages', 'responses', 'generate-content', 'interactions'];

const [TEXT, OBJECT, CALL] = ['Hello there, friend.', '{"answer":4}', { location: 'San Francisco, CA' }];

interface Upstream {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** Calls the first tool if there is one and it has not been called; otherwise answers with a text. */
const startMock = async (): Promise<Upstream> => {
  const mock = new LLMock({ port: 0 });
  mock.on(
    { predicate: ({ tools = [], messages }) => tools.length > 0 && messages.at(-1)?.role !== 'tool' },
    ({ tools: [tool] = [] }) => ({
      toolCalls: [{ name: tool?.function.name ?? '', arguments: JSON.stringify(CALL) }],
    }),
  );
  // The answer is in an earlier turn, which a chained request does not repeat.
  mock.on(
    {
      userMessage: 'What is my name?',
      predicate: ({ messages }) => JSON.stringify(messages).includes('My name is Ada'),
    },
    { content: 'Ada' },
  );
  mock.on({ predicate: ({ response_format: format }) => format !== undefined }, { content: OBJECT });
  mock.on({ userMessage: 'Show your reasoning' }, { content: '555', reasoning: 'Fifteen times thirty-seven.' });
  mock.on({}, { content: TEXT });
  await mock.start();
  return { url: mock.url, stop: () => mock.stop() };
};

/** Says the same. Each answer of a model that may think begins with a thought. */
const say: Say = (_, { tools, messages, response_format, format }) => {
  const [tool] = listOf(tools);
  if (tool !== undefined && listOf(messages).at(-1)?.['role'] !== 'tool')
    return { calls: [{ id: 'call_1', name: String(jsonOf(tool['function'])['name']), input: CALL }], step: 1 };
  return { text: (response_format ?? format) === undefined ? TEXT : OBJECT, calls: [], step: 1 };
};

/** A vendor that refuses what its documentation says it refuses. */
const startVendor = async (name: string): Promise<Upstream> => {
  const upstream = await startUpstream();
  upstream.answer = (response, call) => void answerStrictly(response, call, say);
  return { url: `${upstream.url}/${name}`, stop: () => upstream.stop() };
};

const targetOf = ({ model, wire }: Kind): object => ({
  provider: 'judged',
  model,
  ...(wire === undefined ? {} : { wire }),
});

/** A gateway whose only model has a target of this kind. */
export async function startKind(kind: Kind): Promise<TestGateway> {
  const upstream = await (kind.upstream === undefined ? startMock() : startVendor(kind.name));
  const gateway = await startTestGateway({
    server: { websocket: true },
    providers: { judged: kind.provider(upstream.url) },
    models: { [MODEL]: { targets: [targetOf(kind)], wires: everyWire } },
  });
  return {
    ...gateway,
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
}
