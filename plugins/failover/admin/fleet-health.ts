import { omitUndefined } from '../../../core/api/codec.ts';
import { setBounded } from '../../../core/api/internal.ts';
import type { CircuitState } from '../health/circuit.ts';
import { createLatencyMemory, Latency } from '../health/latency.ts';
import type { FleetHealthEntry, Note, Quantiles } from './messages.ts';

const severity: Readonly<Record<CircuitState | 'cooling', number>> = {
  'closed': 0,
  'cooling': 1,
  'half-open': 2,
  'open': 3,
};

const describeNote = (note: Note, now: number): FleetHealthEntry => {
  const { healthKey, reason, callers, until } = note;
  const isOver = note.kind === 'cooling' ? note.until <= now : note.state === 'closed';
  if (isOver) return { ...healthKey, state: 'closed' };
  const state = note.kind === 'cooling' ? 'cooling' : note.state;
  return omitUndefined({ ...healthKey, state, reason, until, callers });
};

const isWorse = (one: FleetHealthEntry, other: FleetHealthEntry): boolean =>
  severity[one.state] > severity[other.state] ||
  (severity[one.state] === severity[other.state] && (one.until ?? 0) > (other.until ?? 0));

/** The worse of the two. If they are equally bad, it has the callers of both. */
const mergeEntries = (known: FleetHealthEntry, entry: FleetHealthEntry): FleetHealthEntry => {
  const { callers, ...worst } = isWorse(entry, known) ? entry : known;
  if (severity[entry.state] !== severity[known.state]) return callers === undefined ? worst : { ...worst, callers };
  if (entry.callers === undefined || known.callers === undefined) return worst;
  return { ...worst, callers: [...new Set([...known.callers, ...entry.callers])] };
};

/** Of each process. Clients can name any number of models by a wildcard. */
const MAX_NOTES = 10_000;

/** The circuits and cooldowns of all threads of a host, and the memory in which its workers learn latencies. */
export class FleetHealth {
  /** The latest notes, by process. */
  readonly #notes = new Map<number, Map<string, Note>>();
  readonly #latencies = new Map<string, { readonly memory: SharedArrayBuffer; readonly latency: Latency }>();

  note(worker: number, note: Note): void {
    const { provider, model, credential } = note.healthKey;
    const notes = this.#notes.get(worker) ?? new Map<string, Note>();
    setBounded(notes, MAX_NOTES, [note.kind, provider, model, credential].join('\n'), note);
    this.#notes.set(worker, notes);
  }

  /** The memory of a latency: the same for each worker. */
  latency(key: string): SharedArrayBuffer {
    const known = this.#latencies.get(key);
    if (known !== undefined) return known.memory;
    const memory = createLatencyMemory();
    this.#latencies.set(key, { memory, latency: new Latency(memory) });
    return memory;
  }

  /** What the workers have learnt. */
  get quantiles(): Quantiles {
    const known: Record<string, number> = {};
    for (const [key, { latency }] of this.#latencies) if (latency.quantile !== undefined) known[key] = latency.quantile;
    return known;
  }

  /** Drops what a process that has ended has reported. */
  forget(worker: number): void {
    this.#notes.delete(worker);
  }

  /** One entry for each credential and model that any process has reported. @param now unix milliseconds */
  list(now: number): readonly FleetHealthEntry[] {
    const worst = new Map<string, FleetHealthEntry>();
    for (const notes of this.#notes.values())
      for (const note of notes.values()) {
        const entry = describeNote(note, now);
        const key = [entry.provider, entry.model, entry.credential].join('\n');
        const known = worst.get(key);
        worst.set(key, known === undefined ? entry : mergeEntries(known, entry));
      }
    return [...worst.keys()].sort().flatMap((key) => worst.get(key) ?? []);
  }
}
