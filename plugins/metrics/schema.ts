import type { JsonObject } from '../../core/api/index.ts';

/** The plugin's `config` after validation, with defaults. */
export interface MetricsOptions {
  readonly labels: readonly TenantLabel[];
  readonly maxValues: number;
  readonly genaiSemconv: boolean;
}
export type TenantLabel = 'project' | 'organization';

export const schema: JsonObject = {
  type: 'object',
  description: 'Counts and times requests, and serves /metrics on the admin listener.',
  additionalProperties: false,
  properties: {
    labels: {
      description:
        'Also counts requests, tokens and cost by tenant, in koine_tenant_*: by organization, or by project in its ' +
        'organization. A change requires a restart.',
      type: 'array',
      items: { enum: ['project', 'organization'] },
      uniqueItems: true,
      default: [],
    },
    maxValues: {
      description:
        'Maximum number of tenants with series of their own, the largest by requests. All others are counted as other.',
      type: 'integer',
      minimum: 1,
      maximum: 300,
      default: 100,
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
