import { LLMock } from '@copilotkit/aimock';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** A kind of target, behind which every judge runs. */
export interface Kind {
  readonly name: string;
  readonly provider: (url: string) => object;
  /** The name of the model at its vendor. */
  readonly model: string;
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
  },
  { name: 'ollama', provider: (url) => ({ use: 'ollama', config: { baseUrl: url } }), model: 'llama3.2' },
];

export const MODEL = 'judged/model';
const everyWire = ['chat-completions', 'messages', 'responses', 'generate-content'];

/** Calls the first tool if there is one and it has not been called; otherwise answers with a text. */
const script = (mock: LLMock): void => {
  const isText = { match: {}, response: { content: 'Hello there, friend.' } };
  mock.on(
    { predicate: ({ tools = [], messages }) => tools.length > 0 && messages.at(-1)?.role !== 'tool' },
    ({ tools: [tool] = [] }) => ({
      toolCalls: [{ name: tool?.function.name ?? '', arguments: '{"location":"San Francisco, CA"}' }],
    }),
  );
  mock.on({ predicate: ({ response_format: format }) => format !== undefined }, { content: '{"answer":4}' });
  mock.on(isText.match, isText.response);
};

/** A gateway whose only model has a target of this kind. */
export async function startKind(kind: Kind): Promise<TestGateway> {
  const mock = new LLMock({ port: 0 });
  script(mock);
  await mock.start();
  const gateway = await startTestGateway({
    server: { websocket: true },
    providers: { judged: kind.provider(mock.url) },
    models: { [MODEL]: { targets: [{ provider: 'judged', model: kind.model }], wires: everyWire } },
  });
  return {
    ...gateway,
    stop: async () => {
      await gateway.stop();
      await mock.stop();
    },
  };
}
