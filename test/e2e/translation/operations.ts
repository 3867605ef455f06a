import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

/** Models by who serves them: three vendors on one scripted upstream, a server without a key, and the simulator. */
export const OPENAI = 'openai/text-embedding-3-small';
export const GOOGLE = 'google/gemini-embedding-001';
export const LOCAL = 'local/e5';
export const CLAUDE = 'anthropic/claude-sonnet-4-5';
export const GPT = 'openai/gpt-4.1-mini';
export const GEMINI = 'google/gemini-2.5-flash';
export const SIMULATOR = 'simulator/chat';

const wires = ['chat-completions', 'messages', 'responses', 'generate-content', 'embeddings', 'embed-content'];
const modelOf = (id: string): object => {
  const [provider, ...model] = id.split('/');
  return { wires, targets: [{ provider, model: model.join('/') }] };
};

export interface Operations {
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  stop(): Promise<void>;
}

/** A gateway for what is not generation. */
export const startOperations = async (): Promise<Operations> => {
  const upstream = await startUpstream();
  const gateway = await startTestGateway({
    providers: {
      simulator: { use: 'simulator' },
      openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
      google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
      local: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/local/v1` } },
    },
    models: {
      ...Object.fromEntries([OPENAI, GOOGLE, LOCAL, CLAUDE, GPT, GEMINI, SIMULATOR].map((id) => [id, modelOf(id)])),
      'mixed/embed': {
        targets: [
          { provider: 'google', model: 'gemini-embedding-001' },
          { provider: 'openai', model: 'text-embedding-3-small' },
        ],
      },
    },
  });
  return {
    gateway,
    upstream,
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
};
