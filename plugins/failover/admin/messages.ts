import type { CircuitState } from '../health/circuit.ts';
import type { Subject } from '../health/condition.ts';

/**
 * What a process tells the primary instance. `until` is unix milliseconds. `callers` are those it binds (`organization/project/key`, a few of them);
 * absent: all.
 */
export type Note = { readonly subject: Subject; readonly reason: string; readonly callers?: readonly string[] } & (
  | { readonly kind: 'circuit'; readonly state: CircuitState; readonly until?: number }
  | { readonly kind: 'cooling'; readonly until: number }
);

export type PrimaryMessage = { readonly call: 'note'; readonly note: Note } | { readonly call: 'list' };

/** The worst that any process knows of a credential and a model; `*` in the place of a model: of all of them. */
export interface BoardEntry extends Subject {
  readonly state: CircuitState | 'cooling';
  readonly reason?: string;
  /** Unix milliseconds: until when it is used only where nothing else is left. */
  readonly until?: number;
  /** Those it binds; absent: all callers. */
  readonly callers?: readonly string[];
}
