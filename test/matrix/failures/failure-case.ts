import { omitUndefined } from '../../../core/index.ts';
import type { Json, Wire } from '../wires.ts';
import type { Kind } from './thrown.ts';

/** How a vendor refuses, in its own words. */
export interface VendorFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON, a text as HTML. */
  readonly body: Json | string;
}

export interface FailureCase {
  readonly name: string;
  readonly vendor: Readonly<Record<Wire, VendorFailure>>;
  /** What it is to the client: every wire has its own status and words for it. */
  readonly kind: Kind;
  /** The sentence that reaches the client. */
  readonly message: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  /** The failure class in the access log; where the wires agree on it. */
  readonly failure?: string;
}

/** OpenAI has one shape of errors on both its wires. */
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

/** The same from every vendor. */
export const fromAll = (failure: VendorFailure): FailureCase['vendor'] => ({
  chat: failure,
  messages: failure,
  responses: failure,
  google: failure,
});
/** OpenAI's two wires fail alike. */
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
