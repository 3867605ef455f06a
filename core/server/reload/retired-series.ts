import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { OwnMetrics } from '../../services/metrics/metrics.ts';

/** Long enough for the last counts to be scraped and looked at. */
const KEPT_MS = 15 * 60_000;

/** Labels that mean the same under the name that OpenTelemetry gives them. */
const synonyms: Readonly<Record<string, string>> = { gen_ai_request_model: 'model' };
const nameOf = (label: string, value: string): string => `${synonyms[label] ?? label} ${value}`;

/** Label values that come from the configuration: providers, and models by their ids and by their providers' names. */
const namesOf = ({ models, providers }: Pick<GatewayConfig, 'models' | 'providers'>): ReadonlySet<string> =>
  new Set([
    ...Object.entries(models).flatMap(([id, { targets }]) =>
      [id, ...targets.map(({ model }) => model)].map((value) => nameOf('model', value)),
    ),
    ...Object.keys(providers).map((value) => nameOf('provider', value)),
  ]);

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
  let active: ReadonlySet<string> = new Set();
  let before: Pick<GatewayConfig, 'models' | 'providers'> | undefined;
  const drop = (name: string): void => {
    retiring.delete(name);
    metrics.drop((labels) => Object.entries(labels).some(([label, value]) => nameOf(label, value) === name));
  };
  return (config) => {
    if (config.models === before?.models && config.providers === before.providers) return;
    before = config;
    const next = namesOf(config);
    for (const name of next) {
      clearTimeout(retiring.get(name));
      retiring.delete(name);
    }
    for (const name of active) if (!next.has(name)) retiring.set(name, setTimeout(drop, afterMs, name).unref());
    active = next;
  };
}
