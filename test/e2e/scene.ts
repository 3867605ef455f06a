import { expect } from 'chai';
import { builtIns, startTestGateway, type TestGateway } from './gateway.ts';
import type { BuiltIns } from '../../core/extensions/extension.ts';
import { startUpstream, type TestUpstream } from './upstream.ts';

export interface Scene {
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  /** Stops both, and checks that the process has come through unharmed. @param expected errors that belong in the log */
  stop(expected?: RegExp): Promise<void>;
}

/** By the wire that their vendors speak. */
export const CHAT = 'openai/gpt-4.1';
export const MESSAGES = 'anthropic/claude-sonnet-4-5';

const models = {
  [CHAT]: { targets: [{ provider: 'openai', model: 'gpt-4.1' }] },
  [MESSAGES]: { targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }] },
  'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
};

/** A gateway with both vendors on one scripted upstream, and the simulator. */
export const startScene = async (settings: Readonly<Record<string, unknown>> = {}, extensions: BuiltIns = builtIns): Promise<Scene> => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  const upstream = await startUpstream();
  const providers = {
    simulator: { use: 'simulator' },
    openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` } },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
  };
  const gateway = await startTestGateway({ providers, models, ...settings }, extensions);
  return {
    gateway,
    upstream,
    stop: async (expected) => {
      await gateway.stop();
      await upstream.stop();
      process.off('warning', warn);
      expect(warnings.map(({ name }) => name)).to.deep.equal([]);
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
      const errors = gateway.lines.filter(({ level }) => level === 'error').map(({ text, fields }) => `${text}: ${String(fields['error'])}`);
      expect([...new Set(errors)].filter((error) => expected?.test(error) !== true)).to.deep.equal([]);
      expect(JSON.stringify(gateway.lines)).to.not.include('upstream-secret');
    },
  };
};
