import type { FailureClass, GatewayError } from '../../../core/api/index.ts';

/** What a failure means for the request, and for the credential and target that failed. */
export interface Reaction {
  /**
   * Whether the same target is retried with the same credential: after a pause and before anything else (`first`), or
   * when nothing else is left and its cooldown is over (`last`).
   */
  readonly again: 'first' | 'last' | 'never';
  /** What is tried next: another credential of the target, then other targets; only other targets; or nothing. */
  readonly next: 'credential' | 'target' | 'nothing';
  /**
   * How long the credential is used for the model only if no other target is left: for the time that the vendor gives,
   * if it gives one (`vendor`); the same, or else a default (`short`); a long time (`long`). `behind`: it is used after
   * the others.
   */
  readonly cooldown: 'none' | 'vendor' | 'short' | 'long' | 'behind';
  /**
   * `rate`: counts as a failure in the circuit of credential and model. `model`: opens that circuit at once.
   * `credential`: opens the circuit of the credential at once.
   */
  readonly circuit: 'none' | 'rate' | 'model' | 'credential';
}

/**
 * The only table of what failures mean; docs/operate/failover.md shows it. Overload affects a vendor as a whole, so
 * credentials are not rotated. A quota, a region and a refusal affect one account, so they are.
 */
export const reactions: Readonly<Record<FailureClass, Reaction>> = {
  'transient': { again: 'first', next: 'target', cooldown: 'none', circuit: 'rate' },
  'overloaded': { again: 'first', next: 'target', cooldown: 'vendor', circuit: 'rate' },
  'rate-limit': { again: 'last', next: 'credential', cooldown: 'short', circuit: 'none' },
  'quota': { again: 'never', next: 'credential', cooldown: 'long', circuit: 'none' },
  'credential': { again: 'never', next: 'credential', cooldown: 'none', circuit: 'credential' },
  'model-access': { again: 'never', next: 'credential', cooldown: 'none', circuit: 'model' },
  'model-gone': { again: 'never', next: 'target', cooldown: 'behind', circuit: 'none' },
  'region': { again: 'never', next: 'credential', cooldown: 'behind', circuit: 'none' },
  'timeout': { again: 'never', next: 'target', cooldown: 'none', circuit: 'rate' },
  'unsuitable': { again: 'never', next: 'target', cooldown: 'none', circuit: 'none' },
  'caller-fault': { again: 'never', next: 'nothing', cooldown: 'none', circuit: 'none' },
  'unknown': { again: 'never', next: 'target', cooldown: 'none', circuit: 'none' },
};

/** The reason of a circuit that opened because TLS failed. The credential was not sent. */
export const INSECURE = 'tls';

/** Whether a circuit opened because the vendor refuses a credential, for one model or for all. */
export const isRefusal = (reason: string): boolean =>
  Object.hasOwn(reactions, reason) && ['model', 'credential'].includes(reactions[reason as FailureClass].circuit);

/** Whether the first failure opened the circuit, regardless of the share of failed calls. */
export const isTripped = (reason: string): boolean => reason === INSECURE || isRefusal(reason);

/**
 * Whether the caller's request cannot have caused this failure. No connection was made, so nothing of the request was
 * sent. A response of the provider always depends on the request.
 */
export const isCallerIndependent = ({ code, vendor }: GatewayError): boolean =>
  vendor === undefined && (code === 'upstream_unreachable' || code === 'upstream_tls');
