import { GatewayError, type Finish } from '../../../core/api/index.ts';
import { lookUp, type Lose } from '../../../core/api/codec.ts';

/** https://docs.cohere.com/reference/chat#response.body.finish_reason */
const reasons: Readonly<Record<string, Finish['reason']>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop_sequence',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
};

/** Reasons of a response that failed. */
const failures: Readonly<Record<string, () => GatewayError>> = {
  ERROR: () => new GatewayError('upstream_error', "The provider ended the response with 'ERROR'."),
  TIMEOUT: () => new GatewayError('upstream_timeout', "The provider ended the response with 'TIMEOUT'."),
};

export const readFailedEnd = (reason: string): GatewayError | undefined => lookUp(failures, reason)?.();

/** A reason that is not known means `stop`, and is named. */
export const readFinish = (vendor: string, called: boolean, lose: Lose): Finish => {
  const known = lookUp(reasons, vendor);
  if (known === undefined && vendor !== '')
    lose('finish_reason', 'approximated', `'${vendor}' is an ordinary end on other wires`);
  const reason = known ?? 'stop';
  return { reason: reason === 'stop' && called ? 'tool_calls' : reason, ...(vendor === '' ? {} : { vendor }) };
};
