/** One thing a translation did not carry as it came. Named in `x-koine-losses`, the access log and the metrics. */
export interface Loss {
  /** Where in the client's request (or the provider's answer) the thing stood, e.g. `logit_bias` or `messages[2].name`. */
  readonly field: string;
  readonly kind: 'dropped' | 'approximated' | 'injected';
  /** One short sentence for people. Never quotes content. */
  readonly detail: string;
}

/** What happens when a translation to a target would lose something of the request: nothing but the name, a warning in the log as well, or no attempt. */
export type LossPolicy = 'allow' | 'warn' | 'reject';

/**
 * Where codecs and fits name what they could not carry.
 * A sink instead of a return value: answers and streams lose things too, after half of the value is written.
 */
export type Lose = (field: string, kind: Loss['kind'], detail: string) => void;
