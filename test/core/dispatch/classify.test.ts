import { expect } from 'chai';
import { createDispatch } from '../../../core/dispatch/dispatcher.ts';
import { inOrder } from '../../../core/dispatch/in-order.ts';
import { type FailureClass, GatewayError } from '../../../core/api/index.ts';
import { upstreamError, type Classify, type ErrorReply } from '../../../core/api/codec.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { createTestExchange, createTestTarget } from '../../../core/testing/index.ts';
import { createTrail } from '../exchange/sample-exchange.ts';

const vendor: ErrorReply = {
  status: 400,
  headers: { 'retry-after': '3' },
  body: { error: { message: 'API key not valid.', code: 'odd' } },
};
const buildRequest = () => ({ origin: 'http://127.0.0.1', path: '/', headers: {}, body: new Uint8Array() });

describe('the classify function of a provider', () => {
  /** One attempt that fails; the target speaks two wires, of which the client's is used. */
  const fail = async (
    classify: Classify | undefined,
    thrown: GatewayError = upstreamError('chat-completions', vendor),
  ) => {
    const own = classify === undefined ? {} : { classify };
    const wires = [
      { operation: 'generate' as const, wire: 'messages', buildRequest, classify: (): FailureClass => 'region' },
      { operation: 'generate' as const, wire: 'chat-completions', buildRequest, ...own },
    ];
    const target = createTestTarget('vendor/model', { endpoint: { wires, origin: { provider: 'v', family: 'v' } } });
    const dispatch = createDispatch({
      strategy: inOrder,
      interceptors: [],
      lane: () => Promise.reject(thrown),
      observe: () => {},
      keepStored: () => undefined,
    });
    const trail = createTrail();
    const error = await catchRejection(dispatch(createTestExchange({ targets: [target] }), trail));
    return { error, record: trail.attempts[0], thrown };
  };

  it("prefers the provider's class to the wire's, and keeps the vendor's message, delay and body", async () => {
    const { error, record } = await fail(() => 'credential');
    expect(error).to.include({
      code: 'upstream_credential',
      failure: 'credential',
      status: 502,
      message: 'API key not valid.',
      retryAfterMs: 3_000,
    });
    expect(error.vendor).to.deep.equal({ wire: 'chat-completions', ...vendor });
    expect(record).to.include({ failure: 'credential', status: 400 });
  });

  it('passes the whole error response to the classify function', async () => {
    const asked: ErrorReply[] = [];
    await fail((reply) => {
      asked.push(reply);
      return undefined;
    });
    expect(asked).to.have.length(1);
    expect(asked[0]).to.deep.include(vendor);
  });

  it("keeps the wire's class if the classify function returns none or the same", async () => {
    const silent = await fail(() => undefined);
    expect(silent.error).to.equal(silent.thrown);
    const same = await fail(() => 'caller-fault');
    expect(same.error).to.equal(same.thrown);
    const none = await fail(undefined);
    expect(none.error).to.equal(none.thrown);
  });

  it('does not call the classify function for a fault that did not come from the vendor', async () => {
    const fault = new GatewayError('upstream_reset');
    let asked = 0;
    const { error } = await fail(() => {
      asked += 1;
      return 'quota';
    }, fault);
    expect(error).to.equal(fault);
    expect(asked).to.equal(0);
  });

  it('fails the attempt with an internal error and a record if the classify function throws', async () => {
    const { error, record } = await fail(() => {
      throw new TypeError('a bug of a provider');
    });
    expect(error.code).to.equal('internal_error');
    expect(record).to.include({ failure: 'unknown' });
  });
});
