import { expect } from 'chai';
import { omitUndefined } from '../../core/api/codec.ts';
import { wireNames, wires, type Wire } from '../matrix/wires.ts';
import { builtIns, startTestGateway, type TestGateway } from './gateway.ts';
import type { BuiltIns } from '../../core/extensions/extension.ts';
import { startUpstream, type TestUpstream } from './upstream.ts';

export interface Scene {
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  /**
   * Stops both, and checks that the process reported no unexpected error.
   * @param expected errors that belong in the log
   */
  stop(expected?: RegExp): Promise<void>;
}

/** By the wire over which their vendors are reached. */
export const CHAT = 'openai/gpt-4.1';
export const MESSAGES = 'anthropic/claude-sonnet-4-5';
export const RESPONSES = 'openai/gpt-4.1-mini';
export const GOOGLE = 'google/gemini-2.5-flash';
export const modelIds: Readonly<Record<Wire, string>> = {
  chat: CHAT,
  messages: MESSAGES,
  responses: RESPONSES,
  google: GOOGLE,
};

/** Open to every client. */
export const everyWire: readonly string[] = Object.values(wireNames);

/** A model of the catalog under the name that its vendor has for it. */
export const entryOf = (id: string, wire?: Wire): object => {
  const [provider, ...model] = id.split('/');
  return {
    wires: everyWire,
    targets: [
      omitUndefined({ provider, model: model.join('/'), wire: wire === undefined ? undefined : wireNames[wire] }),
    ],
  };
};

/** Models that every client may name, each reached over one wire, and the simulator. */
export const sceneModels: Readonly<Record<string, object>> = {
  ...Object.fromEntries(wires.map((wire) => [modelIds[wire], entryOf(modelIds[wire], wire)])),
  'simulator/chat': entryOf('simulator/chat'),
};

/**
 * A gateway with all vendors on one scripted upstream, and the simulator.
 * @param more providers at the address of the upstream
 */
export const startScene = async (
  settings: Readonly<Record<string, unknown>> = {},
  extensions: BuiltIns = builtIns,
  more: (url: string) => object = () => ({}),
): Promise<Scene> => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  const upstream = await startUpstream();
  const providers = {
    simulator: { use: 'simulator' },
    openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` } },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
    google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
    ...more(upstream.url),
  };
  const gateway = await startTestGateway({ providers, models: sceneModels, ...settings }, extensions);
  return {
    gateway,
    upstream,
    stop: async (expected) => {
      await gateway.stop();
      await upstream.stop();
      process.off('warning', warn);
      expect(warnings.map(({ name }) => name)).to.deep.equal([]);
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
      const errors = gateway.lines
        .filter(({ level }) => level === 'error')
        .map(({ text, fields }) => `${text}: ${String(fields['error'])}`);
      expect([...new Set(errors)].filter((error) => expected?.test(error) !== true)).to.deep.equal([]);
      expect(JSON.stringify(gateway.lines)).to.not.include('upstream-secret');
    },
  };
};
