import type { CircuitState } from '../health/circuit.ts';
import type { HealthKey } from '../health/condition.ts';

/**
 * A change that a process reports to the primary instance. `until` is unix milliseconds. `callers` are some of those it
 * applies to (`organization/project/key`); absent: all.
 */
export type Note = { readonly healthKey: HealthKey; readonly reason: string; readonly callers?: readonly string[] } & (
  | { readonly kind: 'circuit'; readonly state: CircuitState; readonly until?: number }
  | { readonly kind: 'cooling'; readonly until: number }
);

/** 99th percentiles in milliseconds, by kind of response and target. */
export type Quantiles = Readonly<Record<string, number>>;

export type PrimaryMessage =
  | { readonly call: 'note'; readonly note: Note }
  /** The response is the memory of a latency. */
  | { readonly call: 'latency'; readonly key: string }
  | { readonly call: 'list' }
  | { readonly call: 'quantiles' };

/** The worst state of a credential and model in any process. The model `*` stands for all models. */
export interface FleetHealthEntry extends HealthKey {
  readonly state: CircuitState | 'cooling';
  readonly reason?: string;
  /** Unix milliseconds: until when it is used only if nothing else is left. */
  readonly until?: number;
  /** The callers it applies to; absent: all. */
  readonly callers?: readonly string[];
}
