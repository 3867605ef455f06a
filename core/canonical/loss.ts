/**
 * A loss: something that a translation could not carry over unchanged. Reported in `x-koine-losses`, the access log and
 * the metrics.
 */
export interface Loss {
  /** Path in the client's request (or the provider's response), e.g. `logit_bias` or `messages[2].name`. */
  readonly field: string;
  readonly kind: 'dropped' | 'approximated' | 'injected';
  /** One short sentence. Never quotes content. */
  readonly detail: string;
}

/**
 * Policy for a target that would lose something of the request. `allow`: the loss is reported. `warn`: it is logged as
 * a warning too. `reject`: the target is not used.
 */
export type LossPolicy = 'allow' | 'warn' | 'reject';

/**
 * Reports a loss. A callback rather than a result, because responses and streams lose things after half of the value is
 * written.
 * @example lose('logit_bias', 'dropped', 'messages has no such member');
 */
export type Lose = (field: string, kind: Loss['kind'], detail: string) => void;

/** Reports that a target gives no log probabilities, or not those of other tokens. */
export function loseLogprobs(wanted: number | undefined, lose: Lose, detail: string): void {
  if (wanted === undefined) return;
  lose('logprobs', 'dropped', detail);
  if (wanted > 0) lose('top_logprobs', 'dropped', detail);
}
