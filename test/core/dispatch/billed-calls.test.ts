import { expect } from 'chai';
import { createDispatch } from '../../../core/dispatch/dispatcher.ts';
import { inOrder } from '../../../core/dispatch/in-order.ts';
import { listBilledCalls, statusOfCalls } from '../../../core/dispatch/upstream-calls.ts';
import {
  GatewayError,
  type Attempt,
  type AttemptRecord,
  type CallRecord,
  type Reply,
  type Usage,
} from '../../../core/api/index.ts';
import { createTestExchange, createTestTarget } from '../../../core/testing/index.ts';
import { createReply, createTrail } from '../exchange/sample-exchange.ts';

const usage: Usage = {
  inputUncached: 20,
  cacheRead: 5,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 3,
  reasoning: 1,
  source: 'provider',
};
const buildRequest = () => ({ origin: 'http://127.0.0.1', path: '/', headers: {}, body: new Uint8Array() });
const target = createTestTarget('vendor/model', {
  endpoint: {
    wires: [{ operation: 'generate', wire: 'chat-completions', buildRequest }],
    origin: { provider: 'v', family: 'v' },
  },
});

/** The record of one attempt. */
const recordOf = async (
  lane: (attempt: Attempt) => Promise<Reply>,
  act: (reply: Reply) => unknown = () => {},
): Promise<AttemptRecord | undefined> => {
  const dispatch = createDispatch({
    strategy: inOrder,
    interceptors: [],
    lane,
    observe: () => {},
    keepStored: () => undefined,
  });
  const trail = createTrail();
  await dispatch(createTestExchange({ targets: [target] }), trail)
    .then(act)
    .catch(() => {});
  return trail.attempts[0];
};
const failing =
  (code: 'client_closed' | 'upstream_timeout' | 'upstream_truncated', act: (attempt: Attempt) => void) =>
  (attempt: Attempt): Promise<Reply> => {
    act(attempt);
    return Promise.reject(new GatewayError(code));
  };

describe('the charged calls of an attempt that delivered nothing', () => {
  it('charges calls with a successful status, with the usage that they had reported', async () => {
    const begin =
      (call: CallRecord) =>
      ({ calls }: Attempt): void =>
        void calls.push(call);
    const record = await recordOf(failing('upstream_truncated', begin({ status: 200 })));
    expect(record).to.deep.include({ status: 200, billedCalls: [undefined] });
    expect(await recordOf(failing('upstream_truncated', begin({ status: 200, usage })))).to.deep.include({
      billedCalls: [usage],
    });
  });

  it('charges calls in flight when the client left, and none if nothing was sent', async () => {
    const sent =
      (status: number) =>
      ({ calls }: Attempt): void =>
        void calls.push({ status });
    expect(await recordOf(failing('client_closed', sent(0)))).to.deep.include({ status: 0, billedCalls: [undefined] });
    expect(await recordOf(failing('client_closed', () => {}))).to.not.have.property('billedCalls');
    expect(await recordOf(failing('client_closed', sent(503)))).to.not.have.property('billedCalls');
  });

  it('does not charge calls that failed before a response, or with a failure status', async () => {
    const sent =
      (status: number) =>
      ({ calls }: Attempt): void =>
        void calls.push({ status });
    expect(await recordOf(failing('upstream_timeout', sent(0)))).to.not.have.property('billedCalls');
    expect(await recordOf(failing('upstream_timeout', sent(500)))).to.not.have.property('billedCalls');
  });

  it('charges the reported usage of a response that was not delivered', async () => {
    const answer = async ({ calls }: Attempt): Promise<Reply> => {
      const call: CallRecord = { status: 200 };
      calls.push(call);
      return createReply(target, { cancel: () => void (call.usage = usage) });
    };
    const record = await recordOf(answer, (reply) => reply.cancel(new GatewayError('client_closed')));
    expect(record).to.deep.include({ committed: false, billedCalls: [usage] });
  });

  it('charges nothing if an interceptor responded itself', async () => {
    const record = await recordOf(
      async () => createReply(target),
      (reply) => reply.deliver({ write: () => undefined }),
    );
    expect(record).to.deep.include({ committed: true, billedCalls: [] });
  });

  it('charges each call separately, and records the status of the failure', () => {
    const calls: CallRecord[] = [{ status: 200, usage }, { status: 429 }, { status: 200 }, { status: 0 }];
    expect(statusOfCalls(calls)).to.equal(429);
    expect(listBilledCalls(calls, false)).to.deep.equal([usage, undefined]);
    expect(listBilledCalls(calls, true)).to.deep.equal([usage, undefined, undefined]);
  });
});
