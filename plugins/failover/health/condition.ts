import type { FailureClass } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { Random } from '../attempts/backoff.ts';
import type { CircuitRules } from '../config/settings.ts';
import { Callers, nameOf, type Identity, type OwnScope } from './callers.ts';
import { severity, type CircuitState } from './circuit.ts';
import { createScope, type Scope } from './scope.ts';
import type { Count } from './window.ts';

/** What health is kept for: a credential with one model of a provider. */
export interface HealthKey {
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
  /** In place of the model in metrics, where a client has named it by a wildcard. */
  readonly label?: string;
}

/** A change of a circuit, for the log, the metrics and the admin API. */
export interface Change {
  readonly from: CircuitState;
  readonly to: CircuitState;
  readonly reason: string;
  /** Milliseconds until the next probe of an open circuit. */
  readonly openMs?: number;
  /** Some of the callers for which it is not closed; absent: all. */
  readonly callers?: readonly string[];
  /** The first of its kind since the circuit was closed: it is logged. */
  readonly isNew: boolean;
}

/** For which callers a failure counts. */
export interface Attribution {
  /** The scope of the caller. Absent: its request cannot have caused the failure. */
  readonly own?: OwnScope;
  /** The previous failure occurred to another caller. */
  readonly hasCallerChanged: boolean;
  /**
   * The same failure has occurred to another caller recently, and no call has succeeded since; or no request can have
   * caused it. It counts for all callers.
   */
  readonly isConfirmed: boolean;
}

export interface ConditionParts {
  readonly healthKey: HealthKey;
  /** Of the secret of the credential. */
  readonly version: string | undefined;
  /** Read on every use: a reload can change them. */
  readonly rules: () => CircuitRules;
  readonly random: Random;
  readonly onChange: (healthKey: HealthKey, change: Change) => void;
}

/** Callers that are named in the log and the admin API. */
const MAX_NAMED = 8;
const SWEEP_MS = 10_000;

/**
 * The condition of one credential with one model, or with all models. A failure that a request can cause counts only
 * for its caller, until it occurs to another caller too: see {@link Attribution}. Times are monotonic milliseconds.
 */
export class Condition {
  readonly healthKey: HealthKey;
  readonly version: string | undefined;
  /** The scope that applies to all callers. */
  readonly all: Scope;
  readonly #parts: ConditionParts;
  readonly #callers: Callers;
  readonly #logged = new Set<string>();
  #shown: CircuitState = 'closed';
  #goodAt = -Infinity;
  #lastFailed: Scope | undefined;
  #isReplaced = false;

  constructor(parts: ConditionParts) {
    const { healthKey, version, rules, random } = parts;
    const onChange = (now: number): void => this.#announce(now);
    this.healthKey = healthKey;
    this.version = version;
    this.#parts = parts;
    this.#callers = new Callers({
      rules,
      createScope: () => createScope({ rules, random, onChange }),
      onDrop: onChange,
    });
    const onChangeForAll = (now: number): void => {
      if (this.all.circuit.state === 'open') this.#callers.clearCounts();
      onChange(now);
    };
    const leaveOut = (now: number): Count => this.#callers.worst(now);
    this.all = createScope({ rules, random, onChange: onChangeForAll, leaveOut });
  }

  /** The scope that applies to this caller only; undefined if it has no recent failures. */
  own(caller: Identity): OwnScope | undefined {
    return this.#callers.find(caller);
  }

  /** Whether it has had recent failures. */
  get isTroubled(): boolean {
    return this.#callers.size > 0 || this.all.circuit.state !== 'closed';
  }

  /** A call has succeeded: failures before it no longer confirm later ones. */
  succeeded(now: number): void {
    if (this.#callers.size === 0) return;
    this.#goodAt = now;
    this.#callers.sweep(now, SWEEP_MS);
  }

  /** Records a failure for its caller. @param caller undefined: its request cannot have caused the failure */
  attribute(caller: Identity | undefined, failure: FailureClass, now: number): Attribution {
    if (caller === undefined) return { hasCallerChanged: true, isConfirmed: true };
    const own = this.#callers.touch(nameOf(caller), now);
    const hasCallerChanged = this.#lastFailed !== own;
    this.#lastFailed = own;
    const since = Math.max(now - this.#parts.rules().windowMs, this.#goodAt);
    const isConfirmed = this.#callers.hasOther(own, failure, since);
    own.failedAt.set(failure, now);
    return { own, hasCallerChanged, isConfirmed };
  }

  /** The names of some callers whose own scope is affected; undefined if the scope for all callers is. */
  affected(isAffected: (scope: Scope) => boolean): readonly string[] | undefined {
    if (isAffected(this.all)) return undefined;
    return [...this.#callers.list()]
      .filter(isAffected)
      .slice(0, MAX_NAMED)
      .map(({ name }) => name);
  }

  /** Its scopes: the one of all callers, and those of callers with recent failures, by name. */
  *scopes(): Iterable<{ readonly scope: Scope; readonly callers?: readonly string[] }> {
    yield { scope: this.all };
    for (const scope of this.#callers.list()) yield { scope, callers: [scope.name] };
  }

  /** Another process has found it failing. */
  suspect(now: number): void {
    this.all.circuit.suspect(now);
  }

  /** Another thread has opened its circuit. @param names of the callers for which it did; absent: for all */
  trip(now: number, reason: string, names?: readonly string[]): void {
    for (const { circuit } of this.#named(names, now)) circuit.trip(now, reason);
  }

  /** Another thread has found that it has to cool down. @param names as for `trip` */
  cool(until: number, reason: string, names: readonly string[] | undefined, now: number): void {
    for (const { cooldown } of this.#named(names, now)) cooldown.extend(until, reason);
  }

  /** A probe of every open circuit can be made now. */
  recheck(now: number): void {
    this.all.circuit.recheck(now);
    for (const { circuit } of this.#callers.list()) circuit.recheck(now);
  }

  /** Its credential was replaced: what it has reported is taken back, and it reports nothing more. */
  replaced(): void {
    this.#isReplaced = true;
    if (this.#shown === 'closed') return;
    this.#parts.onChange(this.healthKey, { from: this.#shown, to: 'closed', reason: 'replaced', isNew: true });
  }

  #named(names: readonly string[] | undefined, now: number): readonly Scope[] {
    return names === undefined ? [this.all] : names.map((name) => this.#callers.touch(name, now));
  }

  #announce(now: number): void {
    if (this.#isReplaced) return;
    let { circuit } = this.all;
    if (circuit.state === 'closed') {
      for (const own of this.#callers.list())
        if (severity[own.circuit.state] > severity[circuit.state]) ({ circuit } = own);
    }
    const { state, reason } = circuit;
    const until = state === 'open' ? circuit.until(now) : undefined;
    const callers = state === 'closed' ? undefined : this.affected((scope) => scope.circuit.state !== 'closed');
    this.#parts.onChange(
      this.healthKey,
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
