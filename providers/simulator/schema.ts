import type { JsonObject } from '../../core/api/index.ts';

/** `providers.<name>.config` of the simulator. */
export interface SimulatorOptions {
  readonly paceMs?: number;
  readonly words?: number;
  readonly delayMs?: number;
}

export const simulatorSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    paceMs: {
      type: 'number',
      minimum: 0,
      maximum: 60_000,
      default: 0,
      description: 'Milliseconds between two deltas of a stream; 0 sends them at once.',
    },
    words: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: 30,
      description: 'Words of an ordinary response.',
    },
    delayMs: {
      type: 'number',
      minimum: 0,
      maximum: 600_000,
      default: 0,
      description: 'Milliseconds before a response begins.',
    },
  },
};
