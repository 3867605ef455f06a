import { expect } from 'chai';
import { createCallTally } from '../../../core/dispatch/call-tally.ts';
import { createDispatch } from '../../../core/dispatch/dispatcher.ts';
import { inOrder } from '../../../core/dispatch/in-order.ts';
import { GatewayError, type Attempt, type AttemptRecord, type Reply, type Usage } from '../../../core/index.ts';
import { createExchange, createReply, createTarget } from '../exchange/sample-exchange.ts';

const usage: Usage = { inputUncached: 20, cacheRead: 5, cacheWrite5m: 0, cacheWrite1h: 0, output: 3, reasoning: 1, source: 'provider' };
const address = () => ({ origin: 'http://127.0.0.1', path: '/', headers: {}, body: new Uint8Array() });
const target = createTarget('vendor/model', { endpoint: { speaks: [{ operation: 'generate', wire: 'chat-completions', address }], origin: { provider: 'v', family: 'v' } } });

/** The record of one attempt. */
const recordOf = async (lane: (attempt: Attempt) => Promise<Reply>, act: (reply: Reply) => unknown = () => {}): Promise<AttemptRecord | undefined> => {
  const records: AttemptRecord[] = [];
  const dispatch = createDispatch({ strategy: inOrder, interceptors: [], lane, observe: () => {} });
  await dispatch(createExchange({ targets: [target] }), { begin: () => {}, add: (record) => void records.push(record) }).then(act).catch(() => {});
  return records[0];
};
const failing = (code: 'client_closed' | 'upstream_timeout' | 'upstream_truncated', act: (attempt: Attempt) => void) => (attempt: Attempt): Promise<Reply> => {
  act(attempt);
  return Promise.reject(new GatewayError(code));
};

describe('the calls of an attempt that must be paid although nothing of them was shown', () => {
  it('are those that the upstream had begun to answer, with what it had reported', async () => {
    const begin = (attempt: Attempt): void => (attempt.sent?.(), attempt.answered?.(200, {}));
    expect(await recordOf(failing('upstream_truncated', begin))).to.deep.include({ status: 200, paid: [undefined] });
    expect(await recordOf(failing('upstream_truncated', (attempt) => (begin(attempt), attempt.reported?.([usage]))))).to.deep.include({ paid: [usage] });
  });

  it('are those in flight when the client left, and not what it left before anything was sent', async () => {
    expect(await recordOf(failing('client_closed', ({ sent }) => sent?.()))).to.deep.include({ status: 0, paid: [undefined] });
    expect(await recordOf(failing('client_closed', () => {}))).to.not.have.property('paid');
    expect(await recordOf(failing('client_closed', ({ sent, answered }) => (sent?.(), answered?.(503, {}))))).to.not.have.property('paid');
  });

  it('are none of those that failed before an answer, or with a status of failure', async () => {
    expect(await recordOf(failing('upstream_timeout', ({ sent }) => sent?.()))).to.not.have.property('paid');
    expect(await recordOf(failing('upstream_timeout', ({ sent, answered }) => (sent?.(), answered?.(500, {}))))).to.not.have.property('paid');
  });

  it('are, of an answer that nobody delivered, what it had reported', async () => {
    const answer = async (attempt: Attempt): Promise<Reply> => (attempt.sent?.(), attempt.answered?.(200, {}), createReply(target, { cancel: () => attempt.reported?.([usage]) }));
    expect(await recordOf(answer, (reply) => reply.cancel(new GatewayError('client_closed')))).to.deep.include({ committed: false, paid: [usage] });
  });

  it('are none where an interceptor answered by itself', async () => {
    const record = await recordOf(async () => createReply(target), (reply) => reply.deliver({ write: () => undefined }));
    expect(record).to.deep.include({ committed: true, paid: [] });
  });

  it('of several are counted one by one; the status is that of the failure', () => {
    const tally = createCallTally();
    for (const status of [200, 429, 200]) (tally.sent(), tally.answered(status));
    tally.sent();
    tally.reported([usage]);
    expect(tally.status).to.equal(429);
    expect(tally.listPaid(false)).to.deep.equal([usage, undefined]);
    expect(tally.listPaid(true)).to.deep.equal([usage, undefined, undefined]);
  });
});
