import type { Caller, FailureClass } from '../../../core/index.ts';
import type { CircuitRules } from '../config/settings.ts';
import type { Scope } from './scope.ts';
import { createSlidingWindow, type Count, type SlidingWindow } from './window.ts';

/** Two keys of one organization are two callers. */
export type Identity = Pick<Caller, 'organization' | 'project' | 'key'>;

/** What binds one caller only. */
export interface OwnScope extends Scope {
  /** {@link nameOf} the caller. */
  readonly name: string;
  /** Its share of the calls that may open the circuit of all callers. */
  readonly calls: SlidingWindow;
  /** When each class of failure was met last. */
  readonly failedAt: Map<FailureClass, number>;
  seenAt: number;
}

/** Callers for whom something is kept: where there are more, the one whose last failure is longest ago goes. */
const MOST_CALLERS = 32;

/** A caller as operators read it. */
export const nameOf = ({ organization, project, key }: Identity): string => `${organization}/${project}/${key}`;

interface CallersParts {
  /** Read at every use: they may change with a reload. */
  readonly rules: () => CircuitRules;
  readonly createScope: () => Scope;
  /** A caller with a circuit that was not closed is no longer kept. */
  readonly dropped: (now: number) => void;
}

/** The callers that have recently met failures. Empty for a healthy target. Times are monotonic milliseconds. */
export class Callers {
  readonly #parts: CallersParts;
  readonly #known = new Map<string, OwnScope>();
  #sweptAt = -Infinity;

  constructor(parts: CallersParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#known.size;
  }

  list(): Iterable<OwnScope> {
    return this.#known.values();
  }

  find(caller: Identity): OwnScope | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(nameOf(caller));
  }

  /** The scope of a caller that has just met a failure. */
  touch(caller: Identity, now: number): OwnScope {
    const name = nameOf(caller);
    const known = this.#known.get(name);
    if (known === undefined) this.#makeRoom(now);
    const own = known ?? this.#create(name, now);
    own.seenAt = now;
    // The order of the map is that of the latest failures.
    this.#known.delete(name);
    this.#known.set(name, own);
    return own;
  }

  /** Has another caller met this failure since then? */
  hasOther(own: OwnScope, failure: FailureClass, since: number): boolean {
    for (const other of this.#known.values()) {
      if (other !== own && (other.failedAt.get(failure) ?? -Infinity) > since) return true;
    }
    return false;
  }

  /** The calls of the caller with most failures. */
  worst(now: number): Count {
    let worst: Count = { calls: 0, failures: 0 };
    for (const { calls } of this.#known.values()) {
      const count = calls.count(now);
      if (count.failures > worst.failures) worst = count;
    }
    return worst;
  }

  /** The circuit of all callers begins to count anew. */
  clearCounts(): void {
    for (const { calls } of this.#known.values()) calls.clear();
  }

  /** Drops those for whom nothing holds any more. @param everyMs not more often than this */
  sweep(now: number, everyMs = 0): void {
    if (now - this.#sweptAt < everyMs) return;
    this.#sweptAt = now;
    const { windowMs, longestMs } = this.#parts.rules();
    for (const own of this.#known.values()) {
      const isOver = own.cooling.until <= now && own.behind.until <= now;
      const keptMs = own.circuit.state === 'closed' ? windowMs : Math.max(windowMs, longestMs);
      if (isOver && now - own.seenAt > keptMs) this.#drop(own, now);
    }
  }

  #create(name: string, now: number): OwnScope {
    const { rules, createScope } = this.#parts;
    const calls = createSlidingWindow(() => rules().windowMs);
    return { ...createScope(), name, calls, failedAt: new Map(), seenAt: now };
  }

  #makeRoom(now: number): void {
    this.sweep(now);
    const [oldest] = this.#known.values();
    if (oldest !== undefined && this.#known.size >= MOST_CALLERS) this.#drop(oldest, now);
  }

  #drop({ name, circuit }: OwnScope, now: number): void {
    this.#known.delete(name);
    if (circuit.state !== 'closed') this.#parts.dropped(now);
  }
}
