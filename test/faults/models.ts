import { wireNames, wires, type Json, type Wire } from '../matrix/wires.ts';

const providerOf: Readonly<Record<Wire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'openai',
  google: 'google',
};
export const secrets = {
  openai: 'canary-upstream-openai',
  anthropic: 'canary-upstream-anthropic',
  google: 'canary-upstream-google',
} as const;

/**
 * Deadlines that no test reaches by accident, and short ones: a tenth of what an operator
 * would set.
 */
const patient = { connect: '5s', firstByte: '20s', idle: '20s', total: '40s' };
const hurried = {
  'hurried-head': { firstByte: '500ms' },
  'hurried-content': { firstContent: '500ms' },
  'hurried-pauses': { idle: '500ms' },
  'hurried-whole': { total: '700ms' },
} as const;
export type Pace = 'patient' | keyof typeof hurried;

/** The catalog id of a model over this wire, by its deadlines. */
export const modelOf = (wire: Wire, pace: Pace = 'patient'): string => `${providerOf[wire]}/${wire}-${pace}`;

/** A gateway with all vendors at one upstream: each wire native and translated, with long and short deadlines. */
export const settingsAt = (url: string): Json => ({
  providers: {
    openai: { use: 'openai', config: { apiKey: secrets.openai, baseUrl: `${url}/v1` }, timeouts: patient },
    anthropic: { use: 'anthropic', config: { apiKey: secrets.anthropic, baseUrl: url }, timeouts: patient },
    google: { use: 'google', config: { apiKey: secrets.google, baseUrl: url }, timeouts: patient },
  },
  models: Object.fromEntries(
    wires.flatMap((wire) =>
      [['patient', {}] as const, ...Object.entries(hurried)].map(([pace, timeouts]) => [
        modelOf(wire, pace as Pace),
        {
          wires: Object.values(wireNames),
          targets: [{ provider: providerOf[wire], model: `${wire}-${pace}`, wire: wireNames[wire] }],
          timeouts,
          price: { input: 1, output: 2 },
        },
      ]),
    ),
  ),
  stream: { openAfter: '10s' },
});
