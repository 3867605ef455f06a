import type { JsonObject } from '../../core/api/index.ts';

/** The plugin's `config` after validation, with defaults. */
export interface MetricsOptions {
  readonly labels: readonly ExtraLabel[];
  readonly maxValues: number;
  readonly genaiSemconv: boolean;
}
export type ExtraLabel = 'project' | 'organization';

export const schema: JsonObject = {
  type: 'object',
  description: 'Counts and times requests, and serves /metrics on the admin listener.',
  additionalProperties: false,
  properties: {
    labels: {
      description:
        'Additional labels of the counters of requests, tokens and cost: project, organization. Each one multiplies ' +
        'the number of series. A change requires a restart.',
      type: 'array',
      items: { enum: ['project', 'organization'] },
      uniqueItems: true,
      default: [],
    },
    maxValues: {
      description: 'Maximum number of values of each of these labels; further values become other.',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 50,
    },
    genaiSemconv: {
      description:
        "Adds the gen_ai_* metrics of OpenTelemetry's conventions for generative AI. After a reload turns them off, " +
        'they keep their values until a restart.',
      type: 'boolean',
      default: false,
    },
  } satisfies Record<keyof MetricsOptions, JsonObject>,
};
