import type { UpstreamLimit } from '../../../core/api/index.ts';
import type { Identity } from './callers.ts';
import type { Condition } from './condition.ts';
import { INSECURE, isRefusal, isTripped } from './reactions.ts';
import { lastResortAt, readyAt, recoversAt, takeLastResort, type Scope } from './scope.ts';

/** Vendors count by the minute: older headers mean nothing. */
const VALID_MS = 60_000;

interface Share {
  readonly share: number;
  readonly at: number;
}

/** The share of a vendor's limits that is left for one credential and model, by the headers of its responses. */
class Allowance {
  readonly #byUnit = new Map<string, Share>();

  note(now: number, limits: readonly UpstreamLimit[]): void {
    for (const { unit, limit, remaining } of limits) this.#byUnit.set(unit, { share: remaining / limit, at: now });
  }

  /** The unit of a limit of which less than `share` is left. */
  low(now: number, share: number): string | undefined {
    for (const [unit, known] of this.#byUnit) if (known.share < share && now - known.at < VALID_MS) return unit;
    return undefined;
  }
}

/** The health of one credential with one model of a provider. Times are monotonic milliseconds. */
export class Health {
  /** The credential with this model. */
  readonly model: Condition;
  /** The credential with every model. */
  readonly account: Condition;
  readonly allowance = new Allowance();

  constructor(model: Condition, account: Condition) {
    this.model = model;
    this.account = account;
  }

  /** From when on the requests of a caller use it normally: `now` or earlier if it is ready. */
  readyAt(caller: Identity, now: number): number {
    return this.#latest(caller, now, readyAt);
  }

  /** From when on they use it if nothing else is left. */
  lastResortAt(caller: Identity, now: number): number {
    return this.#latest(caller, now, lastResortAt);
  }

  /** When a response can be expected. */
  recoversAt(caller: Identity, now: number): number {
    return this.#latest(caller, now, recoversAt);
  }

  /** Records a call at that time, which is made although it is not ready. */
  takeLastResort(caller: Identity, now: number, at: number): void {
    for (const scope of this.scopes(caller)) takeLastResort(scope, now, at);
  }

  /** Why it is used after those that are ready. undefined: it is not. */
  whyBehind(caller: Identity, now: number, spareBelow: number): string | undefined {
    const { behind } = this.model.all;
    if (behind.until > now) return behind.reason;
    const own = this.model.own(caller)?.behind;
    if (own !== undefined && own.until > now) return own.reason;
    const unit = spareBelow > 0 ? this.allowance.low(now, spareBelow) : undefined;
    return unit === undefined ? undefined : `little is left of its limit of ${unit}`;
  }

  /** Why it is used after all others. undefined: it is ready. */
  whyNotReady(caller: Identity, now: number): string | undefined {
    const account = this.#worst(this.account, caller, now)?.circuit;
    if (account !== undefined) {
      if (account.reason === INSECURE) return 'there is no secure connection to its provider';
      return `the credential was refused (${account.reason})`;
    }
    const scope = this.#worst(this.model, caller, now);
    if (scope === undefined) return undefined;
    const { circuit, cooldown } = scope;
    if ((circuit.until(now) ?? Infinity) <= now) return `it is cooling down (${cooldown.reason})`;
    return circuit.state === 'half-open' ? 'it is being probed' : `its circuit is open (${circuit.reason})`;
  }

  /** The class of failure, or `tls`, for which it is used after all others. undefined: it is ready. */
  notReadyFailure(caller: Identity, now: number): string | undefined {
    const scope = this.#worst(this.account, caller, now) ?? this.#worst(this.model, caller, now);
    if (scope === undefined) return undefined;
    return (scope.circuit.until(now) ?? Infinity) <= now ? scope.cooldown.reason : scope.circuit.reason;
  }

  /** Whether an operator has to act before it can be used again. */
  needsOperator(caller: Identity, now: number): boolean {
    const reason = this.notReadyFailure(caller, now);
    return reason !== undefined && (reason === INSECURE || reason === 'quota' || isRefusal(reason));
  }

  /**
   * Whether it is not ready because the first failure opened a circuit. Then a probe decides, not the rate of calls.
   */
  isTripped(caller: Identity, now: number): boolean {
    return this.scopes(caller).some(
      (scope) => readyAt(scope, now) > now && scope.circuit.state !== 'closed' && isTripped(scope.circuit.reason),
    );
  }

  /** Whether a circuit is not closed for this caller. */
  isProbed(caller: Identity): boolean {
    return (
      (this.model.isTroubled || this.account.isTroubled) &&
      this.scopes(caller).some(({ circuit }) => circuit.state !== 'closed')
    );
  }

  #latest(caller: Identity, now: number, at: (scope: Scope, now: number) => number): number {
    const general = Math.max(at(this.model.all, now), at(this.account.all, now));
    const own = this.model.own(caller);
    const ownAccount = this.account.own(caller);
    if (own === undefined && ownAccount === undefined) return general;
    return Math.max(
      general,
      own === undefined ? now : at(own, now),
      ownAccount === undefined ? now : at(ownAccount, now),
    );
  }

  /** Of the credential with this model and with every model: those of all callers, and of this one. */
  scopes(caller: Identity): readonly Scope[] {
    const scopes = [this.model.all, this.account.all, this.model.own(caller), this.account.own(caller)];
    return scopes.filter((scope) => scope !== undefined);
  }

  /** The scope of a condition that is not ready; the scope for all callers comes first. */
  #worst(condition: Condition, caller: Identity, now: number): Scope | undefined {
    if (readyAt(condition.all, now) > now) return condition.all;
    const own = condition.own(caller);
    return own !== undefined && readyAt(own, now) > now ? own : undefined;
  }
}
