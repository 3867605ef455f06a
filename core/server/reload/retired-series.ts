import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { OwnMetrics } from '../../services/metrics/metrics.ts';

/** Long enough for what has been counted last to be scraped and looked at. */
const KEPT_MS = 15 * 60_000;

/** Labels that say the same in the words of OpenTelemetry. */
const meanings: Readonly<Record<string, string>> = { gen_ai_request_model: 'model' };
const nameOf = (label: string, value: string): string => `${meanings[label] ?? label} ${value}`;

/** The values of labels that the configuration brings: models by their ids and by their providers' names, and providers. */
const namesOf = ({ models, providers }: Pick<GatewayConfig, 'models' | 'providers'>): ReadonlySet<string> =>
  new Set([
    ...Object.entries(models).flatMap(([id, { targets }]) =>
      [id, ...targets.map(({ model }) => model)].map((value) => nameOf('model', value)),
    ),
    ...Object.keys(providers).map((value) => nameOf('provider', value)),
  ]);

/** Series of models and providers that left the configuration leave the metrics a while later, unless they are back by then. */
export function watchRetiredSeries(
  metrics: Pick<OwnMetrics, 'drop'>,
  afterMs = KEPT_MS,
): (config: Pick<GatewayConfig, 'models' | 'providers'>) => void {
  const leaving = new Map<string, NodeJS.Timeout>();
  let live: ReadonlySet<string> = new Set();
  const drop = (name: string): void => {
    leaving.delete(name);
    metrics.drop((labels) => Object.entries(labels).some(([label, value]) => nameOf(label, value) === name));
  };
  return (config) => {
    const next = namesOf(config);
    for (const name of next) {
      clearTimeout(leaving.get(name));
      leaving.delete(name);
    }
    for (const name of live) if (!next.has(name)) leaving.set(name, setTimeout(drop, afterMs, name).unref());
    live = next;
  };
}
