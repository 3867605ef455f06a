import type { Caller, EndedRequest, Metrics, OutcomeClass } from '../../core/api/index.ts';
import { classOf } from '../../core/api/internal.ts';
import { memoize, memoizeByObject } from './memoize.ts';
import { NANO_DOLLARS, bindTokens } from './model-meters.ts';
import type { TenantLabel } from './schema.ts';
import type { TenantNames } from './tenant-names.ts';

interface Tenant {
  /** Unique: names of the configuration have no slash. */
  readonly path: string;
  readonly values: readonly string[];
}

const declareCounters = (metrics: Metrics, labels: readonly string[]) => ({
  requests: metrics.counter('koine_tenant_requests_total', 'Requests by tenant and class of outcome.', [
    ...labels,
    'class',
  ]),
  tokens: metrics.counter('koine_tenant_tokens_total', 'Billable tokens by tenant.', [...labels, 'type']),
  costs: metrics.counter('koine_tenant_cost_total', 'Cost of usage at the configured prices, by tenant.', [
    ...labels,
    'currency',
  ]),
});

/**
 * Counts requests, tokens and cost by tenant, in metrics of their own: as labels of other metrics, tenants would
 * multiply their series.
 * @param given `project` includes `organization`, since projects of two organizations can have one name
 * @returns counts a request that has ended
 */
export function createTenantMeters(
  metrics: Metrics,
  given: readonly TenantLabel[],
  names: TenantNames,
): (ended: EndedRequest) => void {
  const labels = given.includes('project') ? (['organization', 'project'] as const) : (['organization'] as const);
  const { requests, tokens, costs } = declareCounters(metrics, labels);
  const bind = (values: readonly string[]) => ({
    request: memoize((outcome: OutcomeClass) => requests.bind([...values, outcome])),
    tokens: bindTokens((type) => tokens.bind([...values, type])),
    cost: costs.bind([...values, 'USD']),
  });
  const others = bind(labels.map(() => 'other'));
  const named = new Map<string, ReturnType<typeof bind>>();
  const tenantOf = memoizeByObject((caller: Caller): Tenant => {
    const values = labels.map((label) => caller[label]);
    return { path: values.join('/'), values };
  });
  const metersOf = ({ path, values }: Tenant): ReturnType<typeof bind> => {
    if (!names.count(path)) return others;
    let meters = named.get(path);
    if (meters === undefined) named.set(path, (meters = bind(values)));
    return meters;
  };
  return ({ caller, outcome: { result, charges } }) => {
    const meters = caller === undefined ? others : metersOf(tenantOf(caller));
    meters.request(classOf(result))(1);
    for (const { usage, cost } of charges) {
      meters.tokens(usage);
      if (cost !== undefined) meters.cost(Number(cost) / NANO_DOLLARS);
    }
  };
}
