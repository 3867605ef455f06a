import type { JsonObject } from '../../core/index.ts';

/** The plugin's `config`, checked and with its defaults filled in. */
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
        'Further labels of the counters of requests, tokens and cost: project, organization. Each multiplies their series. Another choice wants a restart.',
      type: 'array',
      items: { enum: ['project', 'organization'] },
      uniqueItems: true,
      default: [],
    },
    maxValues: {
      description: 'So many values each of these labels may have; further ones become other.',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 50,
    },
    genaiSemconv: {
      description:
        "The gen_ai_* metrics of OpenTelemetry's conventions for generative AI in addition. Off again by a reload, they stand still until a restart.",
      type: 'boolean',
      default: false,
    },
  } satisfies Record<keyof MetricsOptions, JsonObject>,
};
