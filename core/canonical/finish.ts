/**
 * Why an answer ended. `vendor` keeps the word of the provider, so that nothing is flattened on the way.
 * There is no `error` here: a failed answer is an error event or a thrown GatewayError.
 */
export interface Finish {
  readonly reason:
    | 'stop'
    | 'stop_sequence'
    | 'length'
    | 'tool_calls'
    | 'content_filter'
    | 'refusal'
    | 'pause'
    | 'context_overflow';
  /** The stop sequence that matched, when the vendor says which. */
  readonly sequence?: string;
  /** The vendor's sentence about a refusal or a filter. */
  readonly explanation?: string;
  readonly vendor?: string;
  /** The vendor goes on making the answer after this one: what it uses in all is not known yet. */
  readonly unfinished?: boolean;
}
