/**
 * Why a response ended. `vendor` has the reason as the provider sent it. Errors are not a reason: a failed response is
 * an `error` event or a thrown GatewayError.
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
  /** The stop sequence that matched, if the vendor reports it. */
  readonly sequence?: string;
  /** The vendor's explanation of a refusal or a filter. */
  readonly explanation?: string;
  readonly vendor?: string;
  /** The vendor continues to generate after this response (background), so its total usage is not known yet. */
  readonly unfinished?: boolean;
}
