import { createAllowance, type Allowance } from './allowance.ts';
import type { Circuit } from './circuit.ts';
import { INSECURE } from './reactions.ts';
import { createRest, type Rest } from './rest.ts';

/** Of which provider, model there and credential something is said. */
export interface Subject {
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
}

/** How one credential fares with one model of a provider. */
export interface Health {
  readonly subject: Subject;
  /** Of this credential with this model. */
  readonly circuit: Circuit;
  /** Of this credential with every model. */
  readonly account: Circuit;
  /** Not used until it is over. */
  readonly cooling: Rest;
  /** Used after the others until it is over. */
  readonly behind: Rest;
  readonly allowance: Allowance;
}

export const createHealth = (subject: Subject, circuit: Circuit, account: Circuit): Health => ({ subject, circuit, account, cooling: createRest(), behind: createRest(), allowance: createAllowance() });

/** When to look again where probes are under way. */
const PROBE_MS = 100;

const passes = (circuit: Circuit, now: number): number => circuit.until(now) ?? now + PROBE_MS;

/** From when on it may be used: `now` or earlier where it may be now. */
export const readyAt = ({ circuit, account, cooling }: Health, now: number): number => Math.max(cooling.until, passes(circuit, now), passes(account, now));

/** Why it is used after the others, where it is. */
export const whyBehind = ({ behind, allowance }: Health, now: number, spareBelow: number): string | undefined => {
  if (behind.until > now) return behind.reason;
  const unit = spareBelow > 0 ? allowance.low(now, spareBelow) : undefined;
  return unit === undefined ? undefined : `little is left of its limit of ${unit}`;
};

/** Why it is not used, where it is not. */
export const whyOut = ({ circuit, account, cooling }: Health, now: number): string | undefined => {
  if (passes(account, now) > now) {
    if (account.state === 'half-open') return 'the credential is being probed';
    return account.reason === INSECURE ? 'there is no secure connection to its provider' : `the credential was refused (${account.reason})`;
  }
  if (passes(circuit, now) > now) return circuit.state === 'half-open' ? 'it is being probed' : `its circuit is open (${circuit.reason})`;
  return cooling.until > now ? `it is cooling (${cooling.reason})` : undefined;
};
