import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { OwnMetrics } from '../../services/metrics/metrics.ts';

/** Long enough for the last counts to be scraped and looked at. */
const KEPT_MS = 15 * 60_000;

/** Labels that mean the same under the name that OpenTelemetry gives them. */
const synonyms: Readonly<Record<string, string>> = { gen_ai_request_model: 'model' };
const nameOf = (label: string, value: string): string => `${synonyms[label] ?? label} ${value}`;

/** Label values that come from the configuration: providers, and models by their ids and by their providers' names. */
const valuesOf = ({
  models,
  providers,
}: Pick<GatewayConfig, 'models' | 'providers'>): Readonly<Record<'model' | 'provider', ReadonlySet<string>>> => {
  const model = new Set<string>();
  for (const [id, { targets }] of Object.entries(models)) {
    model.add(id);
    for (const target of targets) model.add(target.model);
  }
  return { model, provider: new Set(Object.keys(providers)) };
};

/**
 * Drops the metric series of models and providers that were removed from the configuration, after a delay. One that is
 * configured again by then keeps its series.
 * @returns to be called with each configuration that becomes active
 */
export function createSeriesRetirement(
  metrics: Pick<OwnMetrics, 'drop'>,
  afterMs = KEPT_MS,
): (config: Pick<GatewayConfig, 'models' | 'providers'>) => void {
  const retiring = new Map<string, NodeJS.Timeout>();
  let active: ReturnType<typeof valuesOf> = { model: new Set(), provider: new Set() };
  let before: Pick<GatewayConfig, 'models' | 'providers'> | undefined;
  const drop = (name: string): void => {
    retiring.delete(name);
    metrics.drop((labels) => Object.entries(labels).some(([label, value]) => nameOf(label, value) === name));
  };
  return (config) => {
    if (config.models === before?.models && config.providers === before.providers) return;
    before = config;
    const next = valuesOf(config);
    for (const label of ['model', 'provider'] as const) {
      for (const [name, timer] of retiring)
        if (name.startsWith(`${label} `) && next[label].has(name.slice(label.length + 1))) {
          clearTimeout(timer);
          retiring.delete(name);
        }
      for (const value of active[label]) {
        const name = next[label].has(value) ? undefined : nameOf(label, value);
        if (name !== undefined) retiring.set(name, setTimeout(drop, afterMs, name).unref());
      }
    }
    active = next;
  };
}
