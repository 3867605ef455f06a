import type { Ending, EndingReason, FailureClass, GatewayError } from '../../../core/api/index.ts';
import type { Settings } from '../config/settings.ts';
import type { Identity } from './callers.ts';
import type { Circuit } from './circuit.ts';
import type { Attribution, Condition } from './condition.ts';
import type { Health } from './health.ts';
import { INSECURE, isCallerIndependent, reactions } from './reactions.ts';

/** The longest cooldown that a vendor can request. */
const LONGEST_MS = 60_000;
/** How long a target comes after the others if the vendor, or its region, does not have the model. */
const BEHIND_MS = 60_000;

/** An attempt that finds out whether open circuits can close. */
export interface Probe {
  /** When it began. */
  readonly at: number;
  readonly circuits: readonly Circuit[];
}
/** Whose attempt it was, and when it ended. Monotonic milliseconds. */
export interface AttemptEnd {
  readonly caller: Identity;
  readonly now: number;
  /** Absent if all circuits were closed. */
  readonly probe?: Probe | undefined;
}

/** Endings that are a fault of the provider. */
const broken: ReadonlySet<EndingReason> = new Set([
  'upstream_reset',
  'upstream_error_event',
  'truncated',
  'idle_timeout',
]);

/** An error of the gateway itself, such as a refusal by a plugin, does not concern the target. */
const isUpstreams = ({ code, vendor }: GatewayError): boolean => code.startsWith('upstream_') || vendor !== undefined;

const probeAt = (circuit: Circuit, { probe }: AttemptEnd): number | undefined =>
  probe?.circuits.includes(circuit) === true ? probe.at : undefined;

/** The window for all callers counts every call; it makes sure that one caller alone does not open the circuit. */
const countFailure = (
  { all }: Condition,
  { own, hasCallerChanged }: Attribution,
  failure: FailureClass,
  end: AttemptEnd,
): void => {
  // If other callers have opened the circuit, one failure of this caller confirms it: no share of failures is needed.
  if (all.circuit.state !== 'closed') own?.circuit.trip(end.now, failure, probeAt(own.circuit, end));
  else own?.circuit.fail(end.now, failure, probeAt(own.circuit, end));
  if (all.circuit.state === 'closed') own?.calls.add(end.now, true);
  else if (!hasCallerChanged) return;
  all.circuit.fail(end.now, failure, probeAt(all.circuit, end), own?.name);
};

const trip = (
  { all }: Condition,
  { own, hasCallerChanged, isConfirmed }: Attribution,
  reason: string,
  end: AttemptEnd,
): void => {
  own?.circuit.trip(end.now, reason, probeAt(own.circuit, end));
  if (isConfirmed || (hasCallerChanged && all.circuit.state !== 'closed')) {
    all.circuit.trip(end.now, reason, probeAt(all.circuit, end));
  }
};

/** Several failures of one caller in a row slow down the other callers only once. */
const slowDown = (
  { all }: Condition,
  { own, hasCallerChanged, isConfirmed }: Attribution,
  failure: FailureClass,
  now: number,
): void => {
  const lasting = reactions[failure].cooldown === 'long';
  own?.throttle.refused(now, lasting);
  if (hasCallerChanged) all.throttle.refused(now, lasting && isConfirmed);
};

const countSuccess = (condition: Condition, end: AttemptEnd): void => {
  const { circuit, throttle } = condition.all;
  const own = condition.own(end.caller);
  if (circuit.state === 'closed') own?.calls.add(end.now, false);
  circuit.succeed(end.now, probeAt(circuit, end));
  throttle.succeeded();
  own?.circuit.succeed(end.now, probeAt(own.circuit, end));
  own?.throttle.succeeded();
};

const countLateFailure = (
  { all }: Condition,
  { own, hasCallerChanged }: Attribution,
  failure: FailureClass,
  now: number,
): void => {
  own?.circuit.failLate(now, failure);
  if (all.circuit.state === 'closed') own?.calls.addLateFailure(now);
  else if (!hasCallerChanged) return;
  all.circuit.failLate(now, failure);
};

/** Records how attempts end in the health of their target and credential. */
export class HealthRecorder {
  readonly #cooldown: Settings['cooldown'];
  readonly #onCooldown: (condition: Condition, reason: FailureClass, milliseconds: number) => void;

  /** @param onCooldown called whenever a cooldown becomes longer */
  constructor(
    { cooldown }: Pick<Settings, 'cooldown'>,
    onCooldown: (condition: Condition, reason: FailureClass, milliseconds: number) => void,
  ) {
    this.#cooldown = cooldown;
    this.#onCooldown = onCooldown;
  }

  succeeded({ model, account }: Health, end: AttemptEnd): void {
    countSuccess(model, end);
    model.succeeded(end.now);
    if (!account.isTroubled) return;
    countSuccess(account, end);
    account.succeeded(end.now);
  }

  /** The attempt failed before any content was sent. */
  failed(health: Health, error: GatewayError, end: AttemptEnd): void {
    if (!isUpstreams(error)) return;
    // A provider that rejects a bad request works.
    if (error.failure === 'caller-fault') countSuccess(health.model, end);
    else this.#countFailed(health, error, end);
  }

  /** The client left after a long wait. */
  abandoned({ model }: Health, end: AttemptEnd): void {
    const attribution = model.attribute(end.caller, 'timeout', end.now);
    countFailure(model, attribution, 'timeout', end);
  }

  /** The response broke after it had begun. */
  interrupted({ model }: Health, { reason, error }: Ending, { caller, now }: AttemptEnd): void {
    if (!broken.has(reason)) return;
    const failure = error?.failure ?? 'transient';
    const { circuit, cooldown } = reactions[failure];
    if (circuit !== 'rate' && cooldown === 'none') return;
    const attribution = model.attribute(caller, failure, now);
    if (circuit === 'rate') countLateFailure(model, attribution, failure, now);
    this.#cool(model, attribution, failure, error?.retryAfterMs, now);
  }

  #countFailed({ model, account }: Health, error: GatewayError, end: AttemptEnd): void {
    const { code, failure, retryAfterMs } = error;
    const { circuit, cooldown } = reactions[failure];
    if (circuit === 'none' && cooldown === 'none') return;
    const { now } = end;
    const condition = circuit === 'credential' ? account : model;
    const attribution = condition.attribute(isCallerIndependent(error) ? undefined : end.caller, failure, now);
    if (circuit === 'rate') countFailure(condition, attribution, failure, end);
    const reason = code === 'upstream_tls' ? INSECURE : failure;
    if (circuit === 'model' || circuit === 'credential') trip(condition, attribution, reason, end);
    else if (cooldown !== 'behind') slowDown(condition, attribution, failure, now);
    this.#cool(condition, attribution, failure, retryAfterMs, now);
  }

  /** Cools down for the caller, and for all callers if the failure is confirmed. */
  #cool(
    condition: Condition,
    { own, isConfirmed }: Attribution,
    failure: FailureClass,
    retryAfterMs: number | undefined,
    now: number,
  ): void {
    const { cooldown } = reactions[failure];
    const scopes = isConfirmed ? [own, condition.all] : [own];
    const milliseconds = this.#cooldownMs(failure, retryAfterMs);
    let isLonger = false;
    for (const scope of scopes) {
      if (cooldown === 'behind') scope?.behind.extend(now + BEHIND_MS, failure);
      if (milliseconds > 0 && scope?.cooldown.extend(now + milliseconds, failure) === true) isLonger = true;
    }
    if (isLonger) this.#onCooldown(condition, failure, milliseconds);
  }

  #cooldownMs(failure: FailureClass, retryAfterMs: number | undefined): number {
    const requested = retryAfterMs === undefined ? undefined : Math.min(LONGEST_MS, Math.max(0, retryAfterMs));
    switch (reactions[failure].cooldown) {
      case 'vendor':
        return requested ?? 0;
      case 'short':
        return requested ?? this.#cooldown.rateLimitMs;
      case 'long':
        return this.#cooldown.quotaMs;
      case 'none':
      case 'behind':
        return 0;
    }
  }
}
