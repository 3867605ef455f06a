import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { wires, type Json, type Wire } from '../../matrix/wires.ts';
import { callOf, greet } from '../../support/calls.ts';
import { failAt, modelOver, refuse, startFailover, trailOf } from '../../support/failover-scene.ts';
import { send, type HttpReply } from '../../support/http.ts';
import type { Scene } from '../../support/scene.ts';

/** A vendor stops a response by its policy, or cannot serve it where its data must stay: no other vendor may. */
const stops: readonly { readonly code: string; readonly sent: string }[] = [
  { code: 'misalignment_policy_violation', sent: 'content_filter' },
  { code: 'bio_policy', sent: 'content_filter' },
  { code: 'cyber_policy', sent: 'content_filter' },
  { code: 'data_residency_mismatch', sent: 'invalid_request' },
];
const MISALIGNMENT = { error_type: 'other', review_target: null, steer: { message: 'Ask first.' } };

const errorOf = (code: string): Json => ({ code, message: 'Stopped.', misalignment: MISALIGNMENT });
const failed = (code: string): Json => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'failed',
  model: 'm',
  output: [],
  error: errorOf(code),
});
const frame = (event: Json): string => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
const streamOf =
  (...events: readonly Json[]) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.map(frame).join(''));

interface Form {
  readonly name: string;
  readonly stream: boolean;
  readonly answer: (code: string) => (response: ServerResponse) => void;
}
const forms: readonly Form[] = [
  {
    name: 'a plain error',
    stream: false,
    answer: (code) => refuse(400, { error: { ...errorOf(code), type: 'invalid_request_error', param: null } }),
  },
  { name: 'a plain error with the status 500', stream: false, answer: (code) => refuse(500, { error: errorOf(code) }) },
  { name: 'a failed response', stream: false, answer: (code) => refuse(200, failed(code)) },
  {
    name: 'response.failed',
    stream: true,
    answer: (code) => streamOf({ type: 'response.failed', sequence_number: 0, response: failed(code) }),
  },
  {
    name: 'an error event',
    stream: true,
    answer: (code) => streamOf({ type: 'error', sequence_number: 0, param: null, ...errorOf(code) }),
  },
];

describe('a response that the policy of its vendor stops', () => {
  let scene: Scene;
  before(async () => {
    scene = await startFailover({ retries: 2 });
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const fail = async (client: Wire, { stream, answer }: Form, code: string): Promise<HttpReply> => {
    scene.upstream.answer = failAt('responses', answer(code));
    const before = scene.gateway.exchanges().length;
    const model = modelOver('responses', 'messages');
    const reply = await send(scene.gateway.url, callOf(client, model, { stream }));
    await scene.gateway.settled(before + 1);
    return reply;
  };

  for (const client of wires) {
    for (const form of forms) {
      it(`is neither retried nor sent to another vendor: ${form.name}, client of ${client}`, async () => {
        for (const { code, sent } of stops) {
          scene.upstream.calls.length = 0;
          const reply = await fail(client, form, code);
          expect(scene.upstream.calls, code).to.have.length(1);
          expect(trailOf(scene.gateway.exchanges().at(-1)), code).to.have.length(1);
          expect(trailOf(scene.gateway.exchanges().at(-1))[0], code).to.match(/caller-fault$/);
          expect(reply.status, reply.text).to.equal(400);
          expect(scene.gateway.exchanges().at(-1), code).to.have.property('code', sent);
        }
      });
    }
  }

  it('says how to go on to a client of the same wire', async () => {
    const reply = await fail('responses', forms[3] as Form, 'misalignment_policy_violation');
    expect(reply.text).to.include('Ask first.').and.include('misalignment_policy_violation');
  });

  it('is not the end of a target: the next request is served', async () => {
    scene.upstream.answer = greet;
    const reply = await send(scene.gateway.url, callOf('chat', modelOver('responses', 'messages')));
    expect(reply.status).to.equal(200);
  });
});
