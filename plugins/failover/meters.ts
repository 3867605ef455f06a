import type { Metrics, UpstreamLimit } from '../../core/api/index.ts';
import { severity, type CircuitState } from './health/circuit.ts';
import type { HealthKey } from './health/condition.ts';

export type Meters = ReturnType<typeof createMeters>;

/** Combines the figures of several credentials into one. */
const createFigures = (
  choose: (...figures: readonly number[]) => number,
): ((key: string, credential: string, figure: number) => number) => {
  const known = new Map<string, Map<string, number>>();
  return (key, credential, figure) => {
    const ofKey = known.get(key) ?? new Map<string, number>();
    known.set(key, ofKey.set(credential, figure));
    return choose(...ofKey.values());
  };
};

/** Labels never name a credential: each metric shows the worst one. */
export function createMeters(metrics: Metrics) {
  const states = metrics.gauge(
    'koine_circuit_state',
    'The worst circuit of a provider and model: 0 closed, 1 half-open, 2 open.',
    ['provider', 'model'],
    'max',
  );
  const transitions = metrics.counter('koine_circuit_transitions_total', 'Circuits that changed their state.', [
    'provider',
    'model',
    'to',
  ]);
  const fallbacks = metrics.counter('koine_fallbacks_total', 'Requests that went on to another target.', [
    'route',
    'from',
    'to',
    'reason',
  ]);
  const left = metrics.gauge(
    'koine_upstream_ratelimit_remaining',
    'What is left of the limit of a provider, by its headers, for the credential with the least.',
    ['provider', 'model', 'unit'],
    'min',
  );
  const worst = createFigures(Math.max);
  const least = createFigures(Math.min);
  return {
    circuit: ({ provider, credential, ...named }: HealthKey, to: CircuitState): void => {
      const model = named.label ?? named.model;
      transitions.bind([provider, model, to])(1);
      states.bind([provider, model])(worst(`${provider}\n${model}`, credential, severity[to]));
    },
    fallback: (route: string, from: string, to: string, reason: string): void =>
      fallbacks.bind([route, from, to, reason])(1),
    remaining: ({ provider, credential, ...named }: HealthKey, limits: readonly UpstreamLimit[]): void => {
      const model = named.label ?? named.model;
      for (const { unit, remaining } of limits)
        left.bind([provider, model, unit])(least(`${provider}\n${model}\n${unit}`, credential, remaining));
    },
  };
}
