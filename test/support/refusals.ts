import { expect } from 'chai';
import type { Json, Wire } from '../matrix/wires.ts';
import type { HttpReply } from './http.ts';

/** What a refusal says, on any wire. */
export interface Refusal {
  readonly message: string;
  /** `error.type`; Google's `error.status`. */
  readonly type: string;
  /** The member at fault, on the wires that have a place for it. */
  readonly param?: string;
  readonly code?: unknown;
}

/** Google's list of violations names the member. */
const readViolation = (details: unknown): string | undefined => {
  const [detail] = (details ?? []) as readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[];
  return detail?.fieldViolations?.[0]?.field;
};

const readOwn = (error: Json, client: Wire): Refusal => {
  const message = String(error['message']);
  const param = client === 'google' ? readViolation(error['details']) : (error['param'] as string | null | undefined);
  return {
    message,
    type: String(error[client === 'google' ? 'status' : 'type']),
    code: error['code'],
    ...(param === undefined || param === null ? {} : { param }),
  };
};

/** The members that a wire's error bodies always have, beside what differs. */
const shapes: Readonly<Record<Wire, (body: Json, error: Json, reply: HttpReply) => void>> = {
  chat: (body, error) => {
    expect(body).to.have.all.keys('error');
    expect(error).to.have.all.keys('message', 'type', 'param', 'code');
  },
  responses: (body, error, reply) => shapes.chat(body, error, reply),
  messages: (body, error, { headers }) => {
    expect(body)
      .to.have.all.keys('type', 'error', 'request_id')
      .and.include({ type: 'error', request_id: headers['request-id'] });
    expect(error).to.have.all.keys('type', 'message');
  },
  google: (body, error, { status }) => {
    expect(body).to.have.all.keys('error');
    expect(error).to.include({ code: status });
    expect(error).to.include.all.keys('code', 'message', 'status');
  },
};

/** Reads a refusal, once it is sure that it is worded as its wire words errors. */
export const readRefusal = (reply: HttpReply, client: Wire, status = 400): Refusal => {
  expect(reply.status, reply.text).to.equal(status);
  expect(reply.headers['content-type']).to.match(/^application\/json/);
  expect(reply.headers['x-request-id']).to.match(/^req_/);
  const body = JSON.parse(reply.text) as Json;
  const error = body['error'] as Json;
  shapes[client](body, error, reply);
  return readOwn(error, client);
};

/** The wires whose errors differ. */
export type ErrorWire = Wire | 'cohere' | 'jina';

const errorWires: Readonly<Record<string, ErrorWire>> = {
  'messages': 'messages',
  'responses': 'responses',
  'generate-content': 'google',
  'embed-content': 'google',
  'cohere-rerank': 'cohere',
  'rerank': 'jina',
};
/** Whose errors a route of this wire has. */
export const errorWireOf = (wire: string): ErrorWire => errorWires[wire] ?? 'chat';

const googleStatus: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** What stands beside `error`, for the SDKs of the wire. */
export const besideError = (wire: ErrorWire, { headers }: HttpReply, message: unknown): object => {
  if (wire === 'messages') return { type: 'error', request_id: headers['request-id'] };
  if (wire === 'cohere') return { id: headers['x-request-id'], message };
  return wire === 'jina' ? { detail: message } : {};
};

/** What a wire adds to the members of `error` that all have, besides Google's details. */
export const addedMembers = (wire: ErrorWire, status: number): object =>
  wire === 'google' ? { status: googleStatus[status] } : {};
