import type { AnyErrorCode, GatewayError, JsonObject } from '../../../../../core/api/index.ts';
import {
  type EncodedError,
  isObject,
  lookUp,
  readObject,
  readText,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { describeAccessError } from '../../../../../core/api/internal.ts';
import { encodeError as encodeGenerateError } from '../../../generate-content/client/response/error.ts';
import { WIRE } from '../../shape.ts';

/** https://ai.google.dev/gemini-api/docs/api-errors */
const codes: Readonly<Record<string, string>> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'payment_required',
  403: 'permission_denied',
  404: 'not_found',
  408: 'deadline_exceeded',
  429: 'rate_limit_exceeded',
  499: 'cancelled',
  503: 'service_unavailable',
  504: 'deadline_exceeded',
};

/** Codes of the wire that are narrower than their status. */
const codeOf: Partial<Record<AnyErrorCode, string>> = {
  model_not_found: 'model_not_found',
  upstream_model: 'model_not_found',
  upstream_quota: 'quota_exceeded',
};

/** The vendor's own error for a mistake of the caller, relayed to clients of the vendor's wire. */
const vendorBody = ({ failure, vendor }: GatewayError): JsonObject | undefined =>
  failure === 'caller-fault' &&
  vendor?.wire === WIRE &&
  isObject(vendor.body) &&
  isObject(vendor.body['error']) &&
  readText(vendor.body['error']['code']) !== ''
    ? vendor.body
    : undefined;

const describe = (error: GatewayError, status: number): JsonObject => ({
  code: codeOf[error.code] ?? lookUp(codes, String(status)) ?? (status < 500 ? 'invalid_request' : 'api_error'),
  message: error.publicMessage,
});

/** Statuses and headers are those of the vendor's other wire. */
export function encodeError(error: GatewayError): EncodedError {
  const own = vendorBody(error);
  const { status, headers } = encodeGenerateError(error);
  if (own !== undefined) return { status: error.vendor?.status ?? status, headers, body: own };
  return { status, headers, body: { error: describeAccessError(error) ?? describe(error, status) } };
}

/** The last event of a stream that fails. */
export function writeErrorEvent(error: GatewayError, write: WriteFrame): void {
  const own = readObject(vendorBody(error)?.['error']);
  const { code, message } = { ...describe(error, encodeGenerateError(error).status), ...own };
  const type = 'error';
  write(type, JSON.stringify({ event_type: type, error: { code, message } }));
}
