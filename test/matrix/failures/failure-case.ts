import { omitUndefined } from '../../../core/api/codec.ts';
import type { Json, Wire } from '../wires.ts';
import type { Kind } from './thrown.ts';

/** How a vendor rejects a request. */
export interface VendorFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string as HTML. */
  readonly body: Json | string;
}

export interface FailureCase {
  readonly name: string;
  readonly vendor: Readonly<Record<Wire, VendorFailure>>;
  /** The kind of failure for the client. Every wire has its own status and type for it. */
  readonly kind: Kind;
  /** The message that the client receives. */
  readonly message: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  /** The failure class in the access log, if all wires have the same. */
  readonly failure?: string;
}

/** Both OpenAI wires have the same error body. */
export const chatError = (
  message: string,
  type: string,
  code: string | null = null,
  param: string | null = null,
): Json => ({
  error: { message, type, param, code },
});
export const messagesError = (type: string, message: string): Json => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_vendor',
});
export const googleError = (code: number, status: string, message: string, details?: readonly Json[]): Json => ({
  error: omitUndefined({ code, message, status, details }),
});

/** The same response of every vendor. */
export const fromAll = (failure: VendorFailure): FailureCase['vendor'] => ({
  chat: failure,
  messages: failure,
  responses: failure,
  google: failure,
});
/** Both OpenAI wires fail alike. */
export const fromVendors = (
  openai: VendorFailure,
  messages: VendorFailure,
  google: VendorFailure,
): FailureCase['vendor'] => ({
  chat: openai,
  messages,
  responses: openai,
  google,
});
