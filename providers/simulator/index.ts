import { defineProvider } from '../../core/api/index.ts';
import { createEndpoints } from './endpoint.ts';
import { simulatorSchema, type SimulatorOptions } from './schema.ts';

/** Answers deterministically without a key, on every wire, and fails on request: see README.md. */
export default defineProvider<SimulatorOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'simulator',
  schema: simulatorSchema,
  // The simulator costs nothing. A missing price would count as unknown.
  prices: [
    { models: ['chat'], page: 'providers/simulator/README.md', seen: '2026-11-21', price: { input: 0, output: 0 } },
  ],
  init: {
    env: [],
    models: [
      {
        name: 'chat',
        wires: ['chat-completions', 'completions', 'messages', 'generate-content', 'interactions', 'responses'],
      },
    ],
  },
  create: ({ paceMs = 0, words = 30, delayMs = 0 } = {}, services) => ({
    credentials: [{ id: 'none' }],
    endpoint: createEndpoints({ pace: paceMs, words, delay: delayMs }, services),
  }),
});
