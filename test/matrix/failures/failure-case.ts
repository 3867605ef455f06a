import type { Json, Wire } from '../wires.ts';

/** How a vendor refuses, in its own words. */
export interface VendorFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON, a text as HTML. */
  readonly body: Json | string;
}

/** What the client's SDK throws. */
export interface Thrown {
  /** Name of the SDK's class: both have the same ones. */
  readonly class: string;
  readonly status: number;
  readonly type: string;
  /** Chat only. */
  readonly code?: string | null;
  readonly param?: string | null;
}

export interface FailureCase {
  readonly name: string;
  readonly vendor: Readonly<Record<Wire, VendorFailure>>;
  readonly thrown: Readonly<Record<Wire, Thrown>>;
  /** The sentence that reaches the client. */
  readonly message: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  /** The failure class in the access log; where the wires agree on it. */
  readonly failure?: string;
}

export const chatError = (message: string, type: string, code: string | null = null, param: string | null = null): Json => ({ error: { message, type, param, code } });
export const messagesError = (type: string, message: string): Json => ({ type: 'error', error: { type, message }, request_id: 'req_vendor' });
