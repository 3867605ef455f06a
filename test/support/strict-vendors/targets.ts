import { presetTable } from '../../providers/openai-compatible/preset-table.ts';
import { everyWire, startScene, type Scene } from '../scene.ts';
import { startUpstream, type TestUpstream } from '../upstream.ts';
import { answerStrictly } from './answers.ts';

/** A model of a vendor that refuses. */
export interface Target {
  readonly provider: string;
  readonly model: string;
  /** Over which it is called, if its provider has several. */
  readonly wire?: 'responses' | 'interactions';
  /** The model takes no images. */
  readonly blind?: true;
}

/** Models with rules of their own, besides one of each preset. */
export const targets: readonly Target[] = [
  { provider: 'openai', model: 'gpt-4.1' },
  { provider: 'openai', model: 'gpt-5' },
  { provider: 'openai', model: 'gpt-5-codex', wire: 'responses' },
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'anthropic', model: 'claude-opus-5' },
  { provider: 'google', model: 'gemini-3-pro' },
  { provider: 'google', model: 'gemini-2.5-flash' },
  { provider: 'google', model: 'gemini-3.5-flash', wire: 'interactions' },
  { provider: 'bedrock', model: 'us.amazon.nova-pro-v1:0' },
  { provider: 'bedrock', model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
  { provider: 'cohere', model: 'command-a-03-2025', blind: true },
  { provider: 'cohere', model: 'command-a-reasoning-08-2025', blind: true },
  { provider: 'ollama', model: 'qwen3' },
  { provider: 'mistral', model: 'mistral-medium-latest' },
  ...Object.entries(presetTable).map(([provider, { model }]) => ({ provider, model, blind: true as const })),
  { provider: 'deepseek', model: 'deepseek-v4-pro', blind: true },
  { provider: 'groq', model: 'qwen/qwen3.8-27b', blind: true },
  { provider: 'cerebras', model: 'qwen-3.8-27b', blind: true },
  { provider: 'xai', model: 'grok-4.3', blind: true },
  { provider: 'xai', model: 'grok-build-0.1', blind: true },
  { provider: 'xai', model: 'grok-4.20-0309-reasoning', blind: true },
  { provider: 'moonshot', model: 'kimi-k2.6', blind: true },
  { provider: 'moonshot', model: 'kimi-k2.7-code', blind: true },
  { provider: 'zai', model: 'glm-4.6', blind: true },
  { provider: 'together', model: 'moonshotai/Kimi-K2.6', blind: true },
  { provider: 'fireworks', model: 'accounts/fireworks/models/glm-5p1', blind: true },
];
/** Its name in the catalog. */
export const idOf = ({ provider, model }: Target): string => `${provider}/${model.replaceAll(/[^\w.-]/g, '-')}`;

/** Where each provider appends its path. */
const baseOf = (provider: string): string =>
  provider in presetTable || provider === 'openai' || provider === 'mistral' ? `/${provider}/v1` : `/${provider}`;

export interface StrictScene {
  readonly gateway: Scene['gateway'];
  /** All vendors in one server, each under a path of its own. */
  readonly upstream: TestUpstream;
  /** What the vendors sent. */
  readonly sent: string[];
  stop(): Promise<void>;
}

/** The providers and models of a configuration whose vendors are at this address. */
export const strictSettings = (url: string): Readonly<Record<string, unknown>> => ({
  providers: Object.fromEntries(
    [...new Set(targets.map(({ provider }) => provider))].map((use) => [
      use,
      {
        use,
        config: {
          baseUrl: `${url}${baseOf(use)}`,
          ...(use === 'ollama' ? {} : { apiKey: 'upstream-secret' }),
          ...(use === 'bedrock' ? { region: 'us-east-1' } : {}),
        },
      },
    ]),
  ),
  models: Object.fromEntries(
    targets.map((target) => [
      idOf(target),
      { wires: [...everyWire, 'interactions'], targets: [{ ...target, blind: undefined }] },
    ]),
  ),
});

/** A gateway in front of every target. */
export const startStrictScene = async (): Promise<StrictScene> => {
  const upstream = await startUpstream();
  const sent: string[] = [];
  upstream.answer = (response, call) => void sent.push(answerStrictly(response, call));
  const scene = await startScene(strictSettings(upstream.url));
  return {
    gateway: scene.gateway,
    upstream,
    sent,
    stop: async () => {
      await scene.stop();
      await upstream.stop();
    },
  };
};
