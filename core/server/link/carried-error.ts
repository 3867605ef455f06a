import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { AnyErrorCode } from '../../errors/codes.ts';
import { GatewayError, toGatewayError, type ErrorDetails } from '../../errors/gateway-error.ts';

/** A GatewayError as JSON, without what only logs need: the cause, and the vendor's message. */
export interface CarriedError {
  readonly code: AnyErrorCode;
  readonly message: string;
  readonly details: Omit<ErrorDetails, 'cause' | 'vendor'>;
}

export function carryError(thrown: unknown): CarriedError {
  const { code, message, status, failure, param, retryAfterMs, limits, headers } = toGatewayError(thrown);
  return {
    code,
    message,
    details: omitUndefined({ status, failure, param, retryAfterMs, limits, headers }),
  };
}

export const restoreError = ({ code, message, details }: CarriedError): GatewayError =>
  new GatewayError(code, message, details);
