import type { Ending, EndingReason, FailureClass, GatewayError } from '../../../core/index.ts';
import type { Identity } from './callers.ts';
import type { Circuit } from './circuit.ts';
import type { Blame, Condition } from './condition.ts';
import type { Health } from './health.ts';
import { INSECURE, isOfNoCaller, reactions } from './reactions.ts';
import type { Settings } from '../config/settings.ts';

/** The longest wait that a vendor can ask for, whatever it says. */
const LONGEST_MS = 60_000;
/** How long what a vendor or a region does not have comes after the others. */
const BEHIND_MS = 60_000;

/** An attempt that finds out whether open circuits may be closed. */
export interface Probe {
  /** When it began. */
  readonly at: number;
  readonly circuits: readonly Circuit[];
}
/** Whose attempt it was, and when it ended. */
export interface Facts {
  readonly caller: Identity;
  readonly now: number;
  /** Absent where all circuits were closed. */
  readonly probe?: Probe | undefined;
}

/** Turns the end of an attempt into what is known of its target and credential. */
export interface Learn {
  succeeded(health: Health, facts: Facts): void;
  /** Before anything of an answer was sent. */
  failed(health: Health, error: GatewayError, facts: Facts): void;
  /** Its client left after waiting for long. */
  abandoned(health: Health, facts: Facts): void;
  /** After an answer had begun. */
  broke(health: Health, ending: Ending, facts: Facts): void;
}

/** Endings that are a fault of the provider. */
const broken: ReadonlySet<EndingReason> = new Set([
  'upstream_reset',
  'upstream_error_event',
  'truncated',
  'idle_timeout',
]);

/** A refusal of the gateway's own, as of a plugin around the attempt, says nothing about the target. */
const isUpstreams = ({ code, vendor }: GatewayError): boolean => code.startsWith('upstream_') || vendor !== undefined;

const probeAt = (circuit: Circuit, { probe }: Facts): number | undefined =>
  probe?.circuits.includes(circuit) === true ? probe.at : undefined;

/** The window of all counts every call; that one caller alone opens nothing is decided there. */
const count = ({ all }: Condition, { own, isFresh }: Blame, failure: FailureClass, facts: Facts): void => {
  // What others have found, and this caller's own probe confirms, needs no further share of failures.
  if (all.circuit.state !== 'closed') own?.circuit.trip(facts.now, failure, probeAt(own.circuit, facts));
  else own?.circuit.fail(facts.now, failure, probeAt(own.circuit, facts));
  if (all.circuit.state === 'closed') own?.calls.add(facts.now, true);
  else if (!isFresh) return;
  all.circuit.fail(facts.now, failure, probeAt(all.circuit, facts));
};

const trip = ({ all }: Condition, { own, isFresh, isConfirmed }: Blame, reason: string, facts: Facts): void => {
  own?.circuit.trip(facts.now, reason, probeAt(own.circuit, facts));
  if (isConfirmed || (isFresh && all.circuit.state !== 'closed')) {
    all.circuit.trip(facts.now, reason, probeAt(all.circuit, facts));
  }
};

/** Failures of one caller in a row slow down the others once. */
const slow = ({ all }: Condition, { own, isFresh, isConfirmed }: Blame, failure: FailureClass, now: number): void => {
  const lasting = reactions[failure].rest === 'long';
  own?.throttle.refused(now, lasting);
  if (isFresh) all.throttle.refused(now, lasting && isConfirmed);
};

const succeed = (condition: Condition, facts: Facts): void => {
  const { circuit, throttle } = condition.all;
  const own = condition.own(facts.caller);
  if (circuit.state === 'closed') own?.calls.add(facts.now, false);
  circuit.succeed(facts.now, probeAt(circuit, facts));
  throttle.answered();
  own?.circuit.succeed(facts.now, probeAt(own.circuit, facts));
  own?.throttle.answered();
};

const spoil = ({ all }: Condition, { own, isFresh }: Blame, failure: FailureClass, now: number): void => {
  own?.circuit.spoil(now, failure);
  if (all.circuit.state === 'closed') own?.calls.spoil(now);
  else if (!isFresh) return;
  all.circuit.spoil(now, failure);
};

/** @param cooled called with every cooldown that has become longer */
export function createLearn(
  { cooldown }: Pick<Settings, 'cooldown'>,
  cooled: (condition: Condition, reason: FailureClass, milliseconds: number) => void,
): Learn {
  const cooldownMs = (failure: FailureClass, told: number | undefined): number => {
    const asked = told === undefined ? undefined : Math.min(LONGEST_MS, Math.max(0, told));
    switch (reactions[failure].rest) {
      case 'told':
        return asked ?? 0;
      case 'short':
        return asked ?? cooldown.rateLimitMs;
      case 'long':
        return cooldown.quotaMs;
      case 'none':
      case 'behind':
        return 0;
    }
  };
  /** For the caller, and for all where it is confirmed. */
  const cool = (
    condition: Condition,
    { own, isConfirmed }: Blame,
    failure: FailureClass,
    told: number | undefined,
    now: number,
  ): void => {
    const { rest } = reactions[failure];
    const scopes = isConfirmed ? [own, condition.all] : [own];
    const milliseconds = cooldownMs(failure, told);
    let isLonger = false;
    for (const scope of scopes) {
      if (rest === 'behind') scope?.behind.extend(now + BEHIND_MS, failure);
      if (milliseconds > 0 && scope?.cooling.extend(now + milliseconds, failure) === true) isLonger = true;
    }
    if (isLonger) cooled(condition, failure, milliseconds);
  };
  const failed = ({ model, account }: Health, error: GatewayError, facts: Facts): void => {
    const { code, failure, retryAfterMs } = error;
    const { circuit, rest } = reactions[failure];
    if (circuit === 'none' && rest === 'none') return;
    const { now } = facts;
    const condition = circuit === 'credential' ? account : model;
    const blame = condition.blame(isOfNoCaller(error) ? undefined : facts.caller, failure, now);
    if (circuit === 'rate') count(condition, blame, failure, facts);
    const reason = code === 'upstream_tls' ? INSECURE : failure;
    if (circuit === 'model' || circuit === 'credential') trip(condition, blame, reason, facts);
    else if (rest !== 'behind') slow(condition, blame, failure, now);
    cool(condition, blame, failure, retryAfterMs, now);
  };

  return {
    succeeded: ({ model, account }, facts) => {
      succeed(model, facts);
      model.answered(facts.now);
      if (!account.isTroubled) return;
      succeed(account, facts);
      account.answered(facts.now);
    },
    failed: (health, error, facts) => {
      if (!isUpstreams(error)) return;
      // A provider that finds fault with a request is well.
      if (error.failure === 'caller-fault') succeed(health.model, facts);
      else failed(health, error, facts);
    },
    abandoned: ({ model }, facts) => {
      const blame = model.blame(facts.caller, 'timeout', facts.now);
      count(model, blame, 'timeout', facts);
    },
    broke: ({ model }, { reason, error }, { caller, now }) => {
      if (!broken.has(reason)) return;
      const failure = error?.failure ?? 'transient';
      const { circuit, rest } = reactions[failure];
      if (circuit !== 'rate' && rest === 'none') return;
      const blame = model.blame(caller, failure, now);
      if (circuit === 'rate') spoil(model, blame, failure, now);
      cool(model, blame, failure, error?.retryAfterMs, now);
    },
  };
}
