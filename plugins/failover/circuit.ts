import type { Random } from './backoff.ts';
import type { CircuitRules } from './settings.ts';
import { createSlidingWindow } from './window.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

export interface Transition {
  readonly from: CircuitState;
  readonly to: CircuitState;
  /** What opened it: a failure class, or how a stream broke. */
  readonly reason: string;
  /** Of an open one: how long, in milliseconds. */
  readonly openMs?: number;
}

/** Times are monotonic milliseconds. */
export interface Circuit {
  readonly state: CircuitState;
  readonly reason: string;
  /** Until when nothing may pass: `now` or earlier where something may, undefined where that hangs on probes under way. */
  until(now: number): number | undefined;
  /** A call begins. True: it is a probe, which has to be ended by `leave`. */
  enter(now: number): boolean;
  /** A probe has ended, whatever became of it. */
  leave(): void;
  succeed(now: number): void;
  /** @param late the call had been counted as good: its answer broke on its way */
  fail(now: number, reason: string, late?: boolean): void;
  /** Opens at once. */
  trip(now: number, reason: string): void;
}

/** Good probes that close a circuit. They come one after the other, a few at a time: what has just recovered is not run over. */
const GOOD_PROBES = 3;
/** How far the open time may be off, so that processes do not probe in step. */
const JITTER = 0.2;

interface CircuitParts {
  /** Asked at every use: they may change with a reload. */
  readonly rules: () => CircuitRules;
  readonly random: Random;
  readonly tell: (transition: Transition) => void;
}

/** Closed until too many recent calls failed; then open for a while; then half-open, for probes to find out. */
export const createCircuit = ({ rules, random, tell }: CircuitParts): Circuit => {
  const recent = createSlidingWindow(() => rules().windowMs);
  let state: CircuitState = 'closed';
  let reason = '';
  let openUntil = 0;
  let openings = 0;
  let probing = 0;
  let good = 0;

  const become = (to: CircuitState, openMs?: number): void => {
    const from = state;
    state = to;
    tell({ from, to, reason, ...(openMs === undefined ? {} : { openMs }) });
  };
  const open = (now: number, why: string): void => {
    const { openMs, longestMs } = rules();
    const length = Math.round(Math.min(longestMs, openMs * 2 ** openings * (1 + JITTER * (2 * random() - 1))));
    openings += 1;
    openUntil = now + length;
    good = 0;
    reason = why;
    recent.clear();
    become('open', length);
  };
  const isTooMuch = (now: number): boolean => {
    const { calls, failures } = recent.count(now);
    const limits = rules();
    return calls >= limits.calls && failures >= limits.failures * calls;
  };

  return {
    get state() {
      return state;
    },
    get reason() {
      return reason;
    },
    until: (now) => {
      if (state === 'closed') return now;
      if (now < openUntil) return openUntil;
      return probing < rules().probes ? now : undefined;
    },
    enter: (now) => {
      if (state === 'closed' || now < openUntil) return false;
      if (state === 'open') become('half-open');
      probing += 1;
      return true;
    },
    leave: () => {
      probing -= 1;
    },
    succeed: (now) => {
      if (state === 'closed') recent.add(now, false);
      if (state !== 'half-open') return;
      good += 1;
      if (good < GOOD_PROBES) return;
      openings = 0;
      become('closed');
    },
    fail: (now, why, late = false) => {
      if (state === 'half-open') return open(now, why);
      if (state === 'open') return;
      if (late) recent.spoil(now);
      else recent.add(now, true);
      if (isTooMuch(now)) open(now, why);
    },
    trip: (now, why) => {
      if (state !== 'open') open(now, why);
    },
  };
};
