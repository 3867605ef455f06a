import type { Caller, FailureClass } from '../../../core/api/index.ts';
import type { CircuitRules } from '../config/settings.ts';
import type { Scope } from './scope.ts';
import { CallWindow, type Count } from './window.ts';

/** Identifies a caller: two keys of one project are two callers. */
export type Identity = Pick<Caller, 'organization' | 'project' | 'key'>;

/** A scope that applies to one caller only. */
export interface OwnScope extends Scope {
  /** As {@link nameOf} returns it. */
  readonly name: string;
  /** Its share of the calls that can open the circuit for all callers. */
  readonly calls: CallWindow;
  /** When each class of failure last occurred. */
  readonly failedAt: Map<FailureClass, number>;
  seenAt: number;
}

/** Callers with a scope of their own. Beyond this number, the one with the oldest failure is dropped. */
const MAX_CALLERS = 32;

/** The name of a caller in the log and the admin API. */
export const nameOf = ({ organization, project, key }: Identity): string => `${organization}/${project}/${key}`;

interface CallersParts {
  /** Read on every use: a reload can change them. */
  readonly rules: () => CircuitRules;
  readonly createScope: () => Scope;
  /** Called when a caller is dropped whose circuit was not closed. */
  readonly onDrop: (now: number) => void;
}

/** The callers with recent failures. Empty for a healthy target. Times are monotonic milliseconds. */
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

  /** Returns the scope of a caller whose call has just failed, and creates it if needed. @param name of `nameOf` */
  touch(name: string, now: number): OwnScope {
    const known = this.#known.get(name);
    if (known === undefined) this.#makeRoom(now);
    const own = known ?? this.#create(name, now);
    own.seenAt = now;
    // Keeps the map in the order of the latest failures.
    this.#known.delete(name);
    this.#known.set(name, own);
    return own;
  }

  /** Whether this failure has occurred to another caller since then. */
  hasOther(own: OwnScope, failure: FailureClass, since: number): boolean {
    for (const other of this.#known.values()) {
      if (other !== own && (other.failedAt.get(failure) ?? -Infinity) > since) return true;
    }
    return false;
  }

  /** The calls of the caller with the most failures. */
  worst(now: number): Count {
    let worst: Count = { calls: 0, failures: 0 };
    for (const { calls } of this.#known.values()) {
      const count = calls.count(now);
      if (count.failures > worst.failures) worst = count;
    }
    return worst;
  }

  /** The circuit for all callers starts counting again. */
  clearCounts(): void {
    for (const { calls } of this.#known.values()) calls.clear();
  }

  /** Drops the callers whose state has expired. @param everyMs at most this often */
  sweep(now: number, everyMs = 0): void {
    if (now - this.#sweptAt < everyMs) return;
    this.#sweptAt = now;
    const { windowMs, longestMs } = this.#parts.rules();
    for (const own of this.#known.values()) {
      const isOver = own.cooldown.until <= now && own.behind.until <= now;
      const keptMs = own.circuit.state === 'closed' ? windowMs : Math.max(windowMs, longestMs);
      if (isOver && now - own.seenAt > keptMs) this.#drop(own, now);
    }
  }

  #create(name: string, now: number): OwnScope {
    const { rules, createScope } = this.#parts;
    const calls = new CallWindow(() => rules().windowMs);
    return { ...createScope(), name, calls, failedAt: new Map(), seenAt: now };
  }

  #makeRoom(now: number): void {
    this.sweep(now);
    const [oldest] = this.#known.values();
    if (oldest !== undefined && this.#known.size >= MAX_CALLERS) this.#drop(oldest, now);
  }

  #drop({ name, circuit }: OwnScope, now: number): void {
    this.#known.delete(name);
    if (circuit.state !== 'closed') this.#parts.onDrop(now);
  }
}
