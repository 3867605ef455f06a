import { defineProvider } from '../../core/index.ts';
import { createEndpoint } from './endpoint.ts';
import { createPromptCache } from './prompt-cache.ts';
import { simulatorSchema, type SimulatorOptions } from './schema.ts';
import type { Settings } from './settings.ts';

const readSettings = (options: SimulatorOptions | undefined): Settings => ({ pace: options?.paceMs ?? 0, words: options?.words ?? 30, delay: options?.delayMs ?? 0 });

/** Answers deterministically without any key, on every generation wire, and fails on request: see README.md. */
export default defineProvider<SimulatorOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'simulator',
  schema: simulatorSchema,
  create: (options, services) => {
    const settings = readSettings(options);
    const cache = createPromptCache();
    return {
      credentials: [{ id: 'none' }],
      endpoint: (model) => createEndpoint(model, settings, services, cache),
    };
  },
});
