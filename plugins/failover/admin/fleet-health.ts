import type { CircuitState } from '../health/circuit.ts';
import type { BoardEntry, Note } from './messages.ts';

/** The circuits and cooldowns of all processes of a host. */
export interface Board {
  note(worker: number, note: Note): void;
  /** A process that is gone has no circuits. */
  forget(worker: number): void;
  /** One entry for each credential and model that was ever told of. @param now unix milliseconds */
  list(now: number): readonly BoardEntry[];
}

const severity: Readonly<Record<CircuitState | 'cooling', number>> = {
  'closed': 0,
  'cooling': 1,
  'half-open': 2,
  'open': 3,
};

const describeNote = (note: Note, now: number): BoardEntry => {
  const { subject, reason, callers, until } = note;
  const isOver = note.kind === 'cooling' ? note.until <= now : note.state === 'closed';
  if (isOver) return { ...subject, state: 'closed' };
  const state = note.kind === 'cooling' ? 'cooling' : note.state;
  return {
    ...subject,
    state,
    reason,
    ...(until === undefined ? {} : { until }),
    ...(callers === undefined ? {} : { callers }),
  };
};

const isWorse = (one: BoardEntry, other: BoardEntry): boolean =>
  severity[one.state] > severity[other.state] ||
  (severity[one.state] === severity[other.state] && (one.until ?? 0) > (other.until ?? 0));

/** The worse of the two, with the callers of both where they are equally bad. */
const mergeEntries = (known: BoardEntry, entry: BoardEntry): BoardEntry => {
  const { callers, ...worst } = isWorse(entry, known) ? entry : known;
  if (severity[entry.state] !== severity[known.state]) return callers === undefined ? worst : { ...worst, callers };
  if (entry.callers === undefined || known.callers === undefined) return worst;
  return { ...worst, callers: [...new Set([...known.callers, ...entry.callers])] };
};

export function createBoard(): Board {
  const told = new Map<number, Map<string, Note>>();
  return {
    note: (worker, note) => {
      const { provider, model, credential } = note.subject;
      const notes = told.get(worker) ?? new Map<string, Note>();
      told.set(worker, notes.set([note.kind, provider, model, credential].join('\n'), note));
    },
    forget: (worker) => void told.delete(worker),
    list: (now) => {
      const worst = new Map<string, BoardEntry>();
      for (const note of [...told.values()].flatMap((notes) => [...notes.values()])) {
        const entry = describeNote(note, now);
        const key = [entry.provider, entry.model, entry.credential].join('\n');
        const known = worst.get(key);
        worst.set(key, known === undefined ? entry : mergeEntries(known, entry));
      }
      return [...worst.keys()].sort().flatMap((key) => worst.get(key) ?? []);
    },
  };
}
