import { defineProvider } from '../../core/api/index.ts';
import { createEndpoint } from './endpoint.ts';
import { createPromptCache } from './prompt-cache.ts';
import { simulatorPrices } from './prices.ts';
import { simulatorSchema, type SimulatorOptions } from './schema.ts';
import type { Settings } from './settings.ts';

const readSettings = ({ paceMs = 0, words = 30, delayMs = 0 }: SimulatorOptions = {}): Settings => ({
  pace: paceMs,
  words,
  delay: delayMs,
});

/** Answers deterministically without a key, on every wire, and fails on request: see README.md. */
export default defineProvider<SimulatorOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'simulator',
  schema: simulatorSchema,
  prices: simulatorPrices,
  init: {
    env: [],
    models: [{ name: 'chat', wires: ['chat-completions', 'messages', 'generate-content', 'responses'] }],
  },
  create: (options, services) => {
    const settings = readSettings(options);
    const cache = createPromptCache();
    return {
      credentials: [{ id: 'none' }],
      endpoint: (model) => createEndpoint(model, settings, services, cache),
    };
  },
});
