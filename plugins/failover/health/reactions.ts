import type { FailureClass, GatewayError } from '../../../core/index.ts';

/** What becomes of a request, and of the credential and target that failed it. */
export interface Reaction {
  /** The same target with the same credential once more: after a pause, before anything else; or, when nothing else is left, once its cooldown is over. */
  readonly again: 'first' | 'last' | 'never';
  /** What is tried next: another credential of the target, then other targets; other targets only; or nothing. */
  readonly next: 'credential' | 'target' | 'nothing';
  /**
   * How long the credential is used for the model only where no other target is left: as long as the vendor says, where it says so (`told`);
   * the same, else a while (`short`); for long (`long`). `behind`: used after the others.
   */
  readonly rest: 'none' | 'told' | 'short' | 'long' | 'behind';
  /** What it does to circuits: counts for that of credential and model (`rate`), opens it at once (`model`), or opens that of the credential at once. */
  readonly circuit: 'none' | 'rate' | 'model' | 'credential';
}

/**
 * The one table of what failures mean; docs/failover.md shows it. Overload concerns a vendor as a whole, so credentials are not rotated; a quota, a
 * region and a refusal concern an account, so they are.
 */
export const reactions: Readonly<Record<FailureClass, Reaction>> = {
  'transient': { again: 'first', next: 'target', rest: 'none', circuit: 'rate' },
  'overloaded': { again: 'first', next: 'target', rest: 'told', circuit: 'rate' },
  'rate-limit': { again: 'last', next: 'credential', rest: 'short', circuit: 'none' },
  'quota': { again: 'never', next: 'credential', rest: 'long', circuit: 'none' },
  'credential': { again: 'never', next: 'credential', rest: 'none', circuit: 'credential' },
  'model-access': { again: 'never', next: 'credential', rest: 'none', circuit: 'model' },
  'model-gone': { again: 'never', next: 'target', rest: 'behind', circuit: 'none' },
  'region': { again: 'never', next: 'credential', rest: 'behind', circuit: 'none' },
  'timeout': { again: 'never', next: 'target', rest: 'none', circuit: 'rate' },
  'unsuitable': { again: 'never', next: 'target', rest: 'none', circuit: 'none' },
  'caller-fault': { again: 'never', next: 'nothing', rest: 'none', circuit: 'none' },
  'unknown': { again: 'never', next: 'target', rest: 'none', circuit: 'none' },
};

/** The reason of a circuit that opened because no connection could be trusted with the credential. It was not sent. */
export const INSECURE = 'tls';

/** Did a circuit open because the vendor refuses a credential, for a model or for all? */
export const isRefusal = (reason: string): boolean =>
  Object.hasOwn(reactions, reason) && ['model', 'credential'].includes(reactions[reason as FailureClass].circuit);

/** Did the first failure open the circuit, with no share of calls behind it? */
export const isTripped = (reason: string): boolean => reason === INSECURE || isRefusal(reason);

/**
 * Can no request of a caller bring this failure about? No connection was made, so nothing of the request was sent. An answer of the provider
 * always depends on the request.
 */
export const isOfNoCaller = ({ code, vendor }: GatewayError): boolean =>
  vendor === undefined && (code === 'upstream_unreachable' || code === 'upstream_tls');
