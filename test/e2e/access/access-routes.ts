import { expect } from 'chai';
import type { Wire } from '../../matrix/wires.ts';
import { standardRoutes } from '../../../core/config/schema/route.ts';
import { addedMembers, besideError, errorWireOf, type ErrorWire } from '../../support/refusals.ts';
import type { HttpReply } from '../../support/http.ts';

/** One way to ask: a path and what else shows which wire's errors the client reads. */
export interface Ask {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of its errors. */
  readonly wire: ErrorWire;
  readonly body?: string;
}

export const MODEL = 'simulator/chat';

/** Who asks for a list under a path that no wire owns. */
const askers: readonly (readonly [Wire, Readonly<Record<string, string>>])[] = [
  ['chat', {}],
  ['messages', { 'anthropic-version': '2023-06-01' }],
  ['google', { 'x-goog-api-client': 'genai' }],
];

/** Every shipped route, and lists in every shape. A body is there and is never read. */
export const everyAsk: readonly Ask[] = standardRoutes.flatMap(({ path: pattern, ...route }): readonly Ask[] => {
  const path = pattern.replace('{model}', MODEL);
  const wire = 'wire' in route ? errorWireOf(route.wire) : undefined;
  if (!('operation' in route) || route.operation !== 'models')
    return [{ title: `POST ${path}`, method: 'POST', path, headers: {}, wire: wire ?? 'chat', body: '{' }];
  if (wire !== undefined) return [{ title: `GET ${path}`, method: 'GET', path, headers: {}, wire }];
  return askers.map(([asker, headers]) => ({
    title: `GET ${path} asked by a client of ${asker}`,
    method: 'GET',
    path,
    headers,
    wire: asker,
  }));
});

/** The documented errors. A message can continue after the documented beginning. */
export const accessErrors = {
  401: {
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message: /^(?:Invalid API key|No API key: the request has none, or an empty one\. .*)$/,
  },
  429: {
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    message: /^Rate limit exceeded: too many requests with a wrong key from this address; try again in \d+s\.$/,
  },
  503: { type: 'server_error', code: 'service_unavailable', message: /^Auth service temporarily unavailable$/ },
} as const;
/** Checks status, content type and body of a refusal: the required members, and those that a wire's SDK needs. */
export const checkRefusal = (reply: HttpReply, wire: ErrorWire, status: 401 | 429 | 503): void => {
  expect(reply.status, reply.text).to.equal(status);
  expect(reply.headers['content-type']).to.match(/^application\/json/);
  expect(reply.headers['x-request-id']).to.match(/^req_/);
  const { message: sentence, ...words } = accessErrors[status];
  const { error, ...beside } = JSON.parse(reply.text) as { readonly error: Readonly<Record<string, unknown>> };
  const { message, ...members } = error;
  expect(message).to.match(sentence);
  expect(beside).to.deep.equal(besideError(wire, reply, message));
  const { details, ...others } = members;
  expect(others).to.deep.equal({ ...words, ...addedMembers(wire, status) });
  if (wire === 'google') expect(details).to.be.an('array');
  else expect(members).to.not.have.property('details');
};

/** What distinguishes refusals for a client: the whole response except ids and the time. */
export const readTellable = ({ status, headers, text }: HttpReply): unknown => {
  const { date: _date, 'x-request-id': id, 'request-id': _id, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(String(id), 'id') };
};
