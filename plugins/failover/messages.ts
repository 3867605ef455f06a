import type { CircuitState } from './circuit.ts';
import type { Subject } from './health.ts';

/** What a process tells the primary half. `until` is unix milliseconds. */
export type Note = { readonly subject: Subject; readonly reason: string } & (
  | { readonly kind: 'circuit'; readonly state: CircuitState; readonly until?: number }
  | { readonly kind: 'cooling'; readonly until: number }
);

export type PrimaryMessage = { readonly call: 'note'; readonly note: Note } | { readonly call: 'list' };

/** The worst that any process has told of a credential and a model; `*` in the place of a model: of all of them. */
export interface BoardEntry extends Subject {
  readonly state: CircuitState | 'cooling';
  readonly reason?: string;
  /** Unix milliseconds: until when nothing is sent there. */
  readonly until?: number;
}
