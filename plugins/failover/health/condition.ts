import { type FailureClass, omitUndefined } from '../../../core/index.ts';
import type { Random } from '../attempts/backoff.ts';
import type { CircuitRules } from '../config/settings.ts';
import { Callers, type Identity, type OwnScope } from './callers.ts';
import type { CircuitState } from './circuit.ts';
import { createScope, type Scope } from './scope.ts';

/** Of which provider, model there and credential something is known. */
export interface Subject {
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
}

/** How a circuit has changed, as operators see it. */
export interface Change {
  readonly from: CircuitState;
  readonly to: CircuitState;
  readonly reason: string;
  /** Of an open one: milliseconds until the next probe. */
  readonly openMs?: number;
  /** The callers it is not closed for, a few of them; absent: all. */
  readonly callers?: readonly string[];
  /** The first of its kind since the circuit was closed: worth a line of the log. */
  readonly isNew: boolean;
}

/** For whom a failure counts. */
export interface Blame {
  /** Absent: no caller can cause it. */
  readonly own?: OwnScope;
  /** The failure before it was that of another caller. */
  readonly isFresh: boolean;
  /** Another caller has met the same failure recently, and no call has succeeded since; or no caller can cause it. */
  readonly isConfirmed: boolean;
}

export interface ConditionParts {
  readonly subject: Subject;
  /** Read at every use: they may change with a reload. */
  readonly rules: () => CircuitRules;
  readonly random: Random;
  readonly changed: (subject: Subject, change: Change) => void;
}

/** Callers that are named to operators. */
const MOST_NAMED = 8;
const SWEEP_MS = 10_000;

const severity: Readonly<Record<CircuitState, number>> = { 'closed': 0, 'half-open': 1, 'open': 2 };

/**
 * What is known of one credential with one model, or with all models. What a request can bring about binds its caller only, until another
 * caller meets it too: see {@link Blame}. Times are monotonic milliseconds.
 */
export class Condition {
  readonly subject: Subject;
  /** What binds all callers. */
  readonly all: Scope;
  readonly #parts: ConditionParts;
  readonly #callers: Callers;
  readonly #logged = new Set<string>();
  #shown: CircuitState = 'closed';
  #goodAt = -Infinity;
  #lastBlamed: Scope | undefined;

  constructor(parts: ConditionParts) {
    const { subject, rules, random } = parts;
    const changed = (now: number): void => this.#announce(now);
    this.subject = subject;
    this.#parts = parts;
    this.#callers = new Callers({
      rules,
      createScope: () => createScope({ rules, random, changed }),
      dropped: changed,
    });
    const changedForAll = (now: number): void => {
      if (this.all.circuit.state === 'open') this.#callers.clearCounts();
      changed(now);
    };
    this.all = createScope({ rules, random, changed: changedForAll, leaveOut: (now) => this.#callers.worst(now) });
  }

  /** What binds this caller only; undefined where nothing does. */
  own(caller: Identity): OwnScope | undefined {
    return this.#callers.find(caller);
  }

  /** Is anything but good known? */
  get isTroubled(): boolean {
    return this.#callers.size > 0 || this.all.circuit.state !== 'closed';
  }

  /** A call was answered well: failures before it no longer confirm later ones. */
  answered(now: number): void {
    if (this.#callers.size === 0) return;
    this.#goodAt = now;
    this.#callers.sweep(now, SWEEP_MS);
  }

  /** @param caller undefined: no caller can cause it */
  blame(caller: Identity | undefined, failure: FailureClass, now: number): Blame {
    if (caller === undefined) return { isFresh: true, isConfirmed: true };
    const own = this.#callers.touch(caller, now);
    const isFresh = this.#lastBlamed !== own;
    this.#lastBlamed = own;
    const since = Math.max(now - this.#parts.rules().windowMs, this.#goodAt);
    const isConfirmed = this.#callers.hasOther(own, failure, since);
    own.failedAt.set(failure, now);
    return { own, isFresh, isConfirmed };
  }

  /** The names of callers whose own scope is such, a few of them; undefined where that of all is. */
  affected(isAffected: (scope: Scope) => boolean): readonly string[] | undefined {
    if (isAffected(this.all)) return undefined;
    return [...this.#callers.list()]
      .filter(isAffected)
      .slice(0, MOST_NAMED)
      .map(({ name }) => name);
  }

  #announce(now: number): void {
    let { circuit } = this.all;
    if (circuit.state === 'closed') {
      for (const own of this.#callers.list())
        if (severity[own.circuit.state] > severity[circuit.state]) ({ circuit } = own);
    }
    const { state, reason } = circuit;
    const until = state === 'open' ? circuit.until(now) : undefined;
    const callers = state === 'closed' ? undefined : this.affected((scope) => scope.circuit.state !== 'closed');
    this.#parts.changed(
      this.subject,
      omitUndefined({
        from: this.#shown,
        to: state,
        reason,
        isNew: this.#isNew(state, callers === undefined),
        openMs: until === undefined ? undefined : until - now,
        callers,
      }),
    );
    this.#shown = state;
  }

  #isNew(state: CircuitState, isOfAll: boolean): boolean {
    const kind = isOfAll ? state : `${state} for some`;
    const isNew = state === 'closed' ? this.#shown !== 'closed' : !this.#logged.has(kind);
    if (state === 'closed') this.#logged.clear();
    else this.#logged.add(kind);
    return isNew;
  }
}
