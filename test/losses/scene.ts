import { KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { wires, type Probe, type Wire } from './probe.ts';

/** The path of each wire, and its smallest request. */
const entryPoints: Readonly<
  Record<Wire, (model: string) => { readonly path: string; readonly body: Readonly<Record<string, unknown>> }>
> = {
  'chat-completions': (model) => ({
    path: '/v1/chat/completions',
    body: { model, max_completion_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  }),
  messages: (model) => ({
    path: '/v1/messages',
    body: { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  }),
  responses: (model) => ({ path: '/v1/responses', body: { model, max_output_tokens: 100, input: 'Hi' } }),
  'generate-content': (model) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: { generationConfig: { maxOutputTokens: 100 }, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  }),
};

/** The simplest response of each vendor. */
const answers: Readonly<Record<Wire, object>> = {
  'chat-completions': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'x' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    error: null,
    incomplete_details: null,
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'x', annotations: [] }],
      },
    ],
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  },
  'generate-content': {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  },
};

/** A current model for each wire, with its limitations. */
export const targets: Readonly<Record<Wire, { readonly provider: string; readonly model: string }>> = {
  'chat-completions': { provider: 'openai', model: 'gpt-4.1' },
  messages: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  responses: { provider: 'openai', model: 'gpt-5' },
  'generate-content': { provider: 'google', model: 'gemini-2.5-flash' },
};

const wireOf = (path: string): Wire =>
  path.endsWith('/chat/completions')
    ? 'chat-completions'
    : path.endsWith('/messages')
      ? 'messages'
      : path.endsWith('/responses')
        ? 'responses'
        : 'generate-content';

/** The losses of one feature on one target. */
export interface Translation {
  readonly status: number;
  readonly lane: string | undefined;
  /** `field;kind`, as in the header. */
  readonly losses: readonly string[];
}

export interface LossScene {
  translate(client: Wire, target: Wire, probe: Probe): Promise<Translation>;
  stop(): Promise<void>;
}

export const startLossScene = async (): Promise<LossScene> => {
  const upstream: TestUpstream = await startUpstream();
  upstream.answer = (response, { path }) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[wireOf(path)]));
  const gateway: TestGateway = await startTestGateway({
    providers: {
      openai: { use: 'openai', config: { apiKey: 'k', baseUrl: `${upstream.url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: 'k', baseUrl: upstream.url } },
      google: { use: 'google', config: { apiKey: 'k', baseUrl: upstream.url } },
    },
    models: Object.fromEntries(wires.map((wire) => [`to/${wire}`, { wires, targets: [{ ...targets[wire], wire }] }])),
  });
  return {
    translate: async (client, target, { body }) => {
      const entry = entryPoints[client](`to/${target}`);
      const reply = await fetch(gateway.url + entry.path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
        body: JSON.stringify({ ...entry.body, ...body }),
      });
      await reply.arrayBuffer();
      const named = reply.headers.get('x-koine-losses');
      return {
        status: reply.status,
        lane: reply.headers.get('x-koine-lane') ?? undefined,
        losses: named === null ? [] : named.split(', '),
      };
    },
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
};
