import { bodyOf, framesOf } from '../matrix/interactions/convert.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { someTokens, type Json, type Mode } from '../matrix/wires.ts';
import { greet } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { wires, type Probe, type Wire } from './probe.ts';

interface EntryPoint {
  readonly path: string;
  readonly body: Json;
}
/** The path of each wire, and its smallest request. */
const entryPoints: Readonly<Record<Wire, (model: string) => EntryPoint>> = {
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
  interactions: (model) => ({
    path: '/v1beta/interactions',
    body: { model, generation_config: { max_output_tokens: 100 }, input: 'Hi' },
  }),
};

/** A current model for each wire, with its limitations. */
export const targets: Readonly<Record<Wire, { readonly provider: string; readonly model: string }>> = {
  'chat-completions': { provider: 'openai', model: 'gpt-4.1' },
  messages: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  responses: { provider: 'openai', model: 'gpt-5' },
  'generate-content': { provider: 'google', model: 'gemini-2.5-flash' },
  'interactions': { provider: 'google', model: 'gemini-3.5-flash' },
};

/** The losses of one feature on one target. */
export interface Translation {
  readonly status: number;
  /** What the client sent. */
  readonly sent: Json;
  readonly lane: string | undefined;
  /** `field;kind`, as in the header. */
  readonly losses: readonly string[];
}

export interface LossScene {
  /** The smallest request with the members of the probe. */
  translate(client: Wire, target: Wire, probe: Pick<Probe, 'body'>, mode?: Mode): Promise<Translation>;
  stop(): Promise<void>;
}

export const startLossScene = async (): Promise<LossScene> => {
  const upstream: TestUpstream = await startUpstream();
  upstream.answer = (response, call) => {
    if (call.path !== '/v1beta/interactions') return greet(response, call);
    const isStream = call.body['stream'] === true;
    const { google } = goodDay;
    return void response
      .writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      .end(isStream ? framesOf(google, someTokens).join('') : bodyOf(google, someTokens));
  };
  const gateway: TestGateway = await startTestGateway({
    providers: {
      openai: { use: 'openai', config: { apiKey: 'k', baseUrl: `${upstream.url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: 'k', baseUrl: upstream.url } },
      google: { use: 'google', config: { apiKey: 'k', baseUrl: upstream.url } },
    },
    models: Object.fromEntries(wires.map((wire) => [`to/${wire}`, { wires, targets: [{ ...targets[wire], wire }] }])),
  });
  return {
    translate: async (client, target, { body }, mode = 'plain') => {
      const entry = entryPoints[client](`to/${target}`);
      const isGoogle = client === 'generate-content';
      const sent = { ...entry.body, ...body, ...(mode === 'streamed' && !isGoogle ? { stream: true } : {}) };
      const path = mode === 'plain' ? entry.path : entry.path.replace(':generate', ':streamGenerate');
      const { status, headers } = await send(gateway.url, { path, body: JSON.stringify(sent) });
      const { 'x-koine-losses': named, 'x-koine-lane': lane } = headers;
      return {
        status,
        sent,
        lane: lane === undefined ? undefined : String(lane),
        losses: named === undefined ? [] : String(named).split(', '),
      };
    },
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
};
