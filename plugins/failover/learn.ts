import type { Ending, EndingReason, FailureClass, GatewayError } from '../../core/index.ts';
import type { Health } from './health.ts';
import { INSECURE, reactions } from './reactions.ts';
import type { Settings } from './settings.ts';

/** The longest that a vendor can have us wait, whatever it says. */
const LONGEST_MS = 60_000;
/** How long what a vendor or a region does not have comes after the others. */
const BEHIND_MS = 60_000;

/** What happened to an attempt, told to what is known of its target and credential. */
export interface Learn {
  succeeded(health: Health, now: number): void;
  /** Before anything of an answer was sent. */
  failed(health: Health, error: GatewayError, now: number): void;
  /** After it. */
  broke(health: Health, ending: Ending, now: number): void;
}

/** Endings that are the doing of whoever answered. */
const broken: ReadonlySet<EndingReason> = new Set(['upstream_reset', 'upstream_error_event', 'truncated', 'idle_timeout']);

/** A refusal of the gateway's own, as of a plugin around the attempt, says nothing about the target. */
const isUpstreams = ({ code, vendor }: GatewayError): boolean => code.startsWith('upstream_') || vendor !== undefined;

/** @param rested told of every cooldown that has become longer */
export const createLearn = ({ cooldown }: Pick<Settings, 'cooldown'>, rested: (health: Health, milliseconds: number) => void): Learn => {
  const restMs = (failure: FailureClass, told: number | undefined): number => {
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
  const rest = (health: Health, failure: FailureClass, told: number | undefined, now: number): void => {
    if (reactions[failure].rest === 'behind') health.behind.extend(now + BEHIND_MS, failure);
    const milliseconds = restMs(failure, told);
    if (milliseconds > 0 && health.cooling.extend(now + milliseconds, failure)) rested(health, milliseconds);
  };

  return {
    succeeded: ({ circuit, account }, now) => {
      circuit.succeed(now);
      account.succeed(now);
    },
    failed: (health, error, now) => {
      if (!isUpstreams(error)) return;
      const { code, failure, retryAfterMs } = error;
      const { circuit } = reactions[failure];
      if (circuit === 'rate') health.circuit.fail(now, failure);
      if (circuit === 'model') health.circuit.trip(now, failure);
      if (circuit === 'credential') health.account.trip(now, code === 'upstream_tls' ? INSECURE : failure);
      // Whoever finds fault with a request is well.
      if (failure === 'caller-fault') health.circuit.succeed(now);
      rest(health, failure, retryAfterMs, now);
    },
    broke: (health, { reason, error }, now) => {
      if (!broken.has(reason)) return;
      const failure = error?.failure ?? 'transient';
      if (reactions[failure].circuit === 'rate') health.circuit.fail(now, failure, true);
      rest(health, failure, error?.retryAfterMs, now);
    },
  };
};
