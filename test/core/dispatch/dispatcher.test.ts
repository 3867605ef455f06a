import { expect } from 'chai';
import { createDispatch, type AttemptTrail, type DispatchParts } from '../../../core/dispatch/dispatcher.ts';
import { inOrder } from '../../../core/dispatch/in-order.ts';
import {
  GatewayError,
  type Attempt,
  type AttemptRecord,
  type Ending,
  type Output,
  type Send,
  type Target,
} from '../../../core/api/index.ts';
import { upstreamError } from '../../../core/api/codec.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { createTestExchange, createTestTarget } from '../../../core/testing/index.ts';
import { createReply } from '../exchange/sample-exchange.ts';

const buildRequest = () => ({ origin: 'http://127.0.0.1', path: '/', headers: {}, body: new Uint8Array() });
const speakingTo = (id: string): Target =>
  createTestTarget(id, {
    endpoint: {
      wires: [{ operation: 'generate', wire: 'chat-completions', buildRequest }],
      origin: { provider: 'v', family: 'v' },
    },
  });
const target = speakingTo('vendor/model');
const output: Output = { write: () => undefined };

/** A dispatch whose trail and observers write one list. */
const createScene = (parts: Partial<DispatchParts>) => {
  const trail: string[] = [];
  const records: AttemptRecord[] = [];
  const observed: AttemptRecord[] = [];
  /** Records when the target of an attempt is set, and when its record is added. */
  const watch: AttemptTrail = {
    attempts: Object.assign(records, {
      push: (record: AttemptRecord) => (trail.push(`end ${record.target}`), Array.prototype.push.call(records, record)),
    }),
    set target(given: Target | undefined) {
      if (given !== undefined) trail.push(`begin ${given.id}`);
    },
    provider: undefined,
    reply: undefined,
  };
  const dispatch = createDispatch({
    strategy: inOrder,
    interceptors: [],
    lane: async (attempt) => createReply(attempt.target),
    observe: (_, record) => void observed.push(record),
    keepStored: () => undefined,
    ...parts,
  });
  return {
    trail,
    records,
    observed,
    run: (targets: readonly Target[] = [target]) => dispatch(createTestExchange({ targets }), watch),
  };
};

describe('interceptors', () => {
  it('wraps the lane in the interceptors in YAML order, the first outermost', async () => {
    const order: string[] = [];
    const named =
      (name: string) =>
      (next: Send): Send =>
      async (attempt) => {
        order.push(`${name} in`);
        const reply = await next(attempt);
        order.push(`${name} out`);
        return reply;
      };
    const { run } = createScene({
      interceptors: [named('first'), named('second')],
      lane: async (attempt) => {
        order.push('lane');
        return createReply(attempt.target);
      },
    });
    await run();
    expect(order).to.deep.equal(['first in', 'second in', 'lane', 'second out', 'first out']);
  });

  it('composes the interceptors once, at load', async () => {
    let composed = 0;
    const { run } = createScene({
      interceptors: [
        (next) => {
          composed += 1;
          return next;
        },
      ],
    });
    await run();
    await run();
    expect(composed).to.equal(1);
  });

  it('passes the attempt to the interceptors, and their changes to the lane', async () => {
    const seen: Attempt[] = [];
    const { run } = createScene({
      interceptors: [(next) => (attempt) => next({ ...attempt, headers: { traceparent: '00-1' } })],
      lane: async (attempt) => {
        seen.push(attempt);
        return createReply(attempt.target);
      },
    });
    await run();
    expect(seen[0]).to.include({ credential: 'key-1', wire: 'chat-completions', operation: 'generate', target });
    expect(seen[0]?.headers).to.deep.equal({ traceparent: '00-1' });
    expect(seen[0]?.request).to.equal(seen[0]?.exchange.request);
  });

  it('fails the attempt with a record if an interceptor throws synchronously', async () => {
    const { run, records } = createScene({
      interceptors: [
        () => () => {
          throw new TypeError('a bug of a plugin');
        },
      ],
    });
    expect((await catchRejection(run())).code).to.equal('internal_error');
    expect(records.map(({ failure }) => failure)).to.deep.equal(['unknown']);
  });
});

describe('the record of an attempt', () => {
  it('records the attempt after delivery with its ending, not at commit', async () => {
    const ending: Ending = { reason: 'truncated', usage: undefined, outputChars: 7 };
    const { run, trail, records, observed } = createScene({
      lane: async (attempt) =>
        createReply(attempt.target, {
          lane: 'translated',
          losses: [{ field: 'seed', kind: 'dropped', detail: '' }],
          deliver: async () => (await new Promise((resolve) => setTimeout(resolve, 20)), ending),
        }),
    });
    const reply = await run();
    expect(trail).to.deep.equal(['begin vendor/model']);
    expect(observed).to.deep.equal([]);
    expect(await reply.deliver(output)).to.equal(ending);
    expect(trail).to.deep.equal(['begin vendor/model', 'end vendor/model']);
    const [record] = records;
    expect(record).to.deep.include({
      target: 'vendor/model',
      credential: 'key-1',
      lane: 'translated',
      committed: true,
      status: 200,
      ending,
      losses: [{ field: 'seed', kind: 'dropped', detail: '' }],
    });
    expect(record?.ms).to.be.within(15, 60_000);
    expect(record?.failure).to.equal(undefined);
    expect(record).to.be.frozen;
    expect(observed).to.have.length(1);
    expect(observed[0]).to.equal(record);
  });

  it('records a response that an interceptor breaks during delivery, and releases the upstream', async () => {
    let cancelled = 0;
    const breaking =
      (next: Send): Send =>
      async (attempt) => ({
        ...(await next(attempt)),
        deliver: () => {
          throw new Error('inside');
        },
      });
    const { run, records } = createScene({
      interceptors: [breaking],
      lane: async (attempt) => createReply(attempt.target, { cancel: () => void (cancelled += 1) }),
    });
    const reply = await run();
    expect(await catchRejection((async () => reply.deliver(output))())).to.include({ code: 'internal_error' });
    expect(records).to.have.length(1);
    expect(records[0]).to.deep.include({ status: 200, committed: true, lane: 'native' });
    expect(records[0]?.ending).to.include({ reason: 'gateway_error' });
    expect(cancelled).to.equal(1);
  });

  it('records a response that is never delivered, once, and releases its upstream', async () => {
    let cancelled = 0;
    const { run, records } = createScene({
      lane: async (attempt) => createReply(attempt.target, { cancel: () => void (cancelled += 1) }),
    });
    const reply = await run();
    reply.cancel(new GatewayError('internal_error'));
    reply.cancel(new GatewayError('internal_error'));
    expect(records.map(({ status, lane, committed, failure }) => ({ status, lane, committed, failure }))).to.deep.equal(
      [{ status: 200, lane: 'native', committed: false, failure: 'unknown' }],
    );
    expect(cancelled).to.be.at.least(1);
  });

  it("records a failure with the vendor's status and the failure class, and without a lane", async () => {
    const { run, records, observed } = createScene({
      lane: async () => {
        throw upstreamError('chat-completions', { status: 529, headers: {}, body: {} });
      },
    });
    const error = await catchRejection(run());
    expect(error.failure).to.equal('overloaded');
    expect(records).to.have.length(1);
    expect(records[0]).to.deep.include({ status: 529, failure: 'overloaded', committed: false, lane: undefined });
    expect(observed[0]).to.equal(records[0]);
  });

  it('records status 0 for a call that never reached the vendor', async () => {
    const { run, records } = createScene({
      lane: async () => {
        throw new GatewayError('upstream_unreachable');
      },
    });
    await catchRejection(run());
    expect(records[0]).to.include({ status: 0, failure: 'transient' });
  });

  it('records the initial status of a response that began and broke', async () => {
    const { run, records } = createScene({
      lane: async ({ calls }) => {
        calls.push({ status: 200 });
        throw new GatewayError('upstream_truncated');
      },
    });
    await catchRejection(run());
    expect(records[0]).to.include({ status: 200, failure: 'transient', committed: false });
  });

  it('records each attempt if the strategy makes several', async () => {
    const targets = [speakingTo('vendor/one'), speakingTo('vendor/two')];
    const { run, trail, records } = createScene({
      lane: async (attempt) => {
        if (attempt.target.id === 'vendor/one') throw new GatewayError('unsupported_parameter');
        return createReply(attempt.target);
      },
    });
    await (await run(targets)).deliver(output);
    expect(trail).to.deep.equal(['begin vendor/one', 'end vendor/one', 'begin vendor/two', 'end vendor/two']);
    expect(records.map(({ failure, committed }) => [failure, committed])).to.deep.equal([
      ['unsuitable', false],
      [undefined, true],
    ]);
  });

  it('records the pause before an attempt, which counts as waiting and not as overhead', async () => {
    const { run, records } = createScene({
      strategy: async (_exchange, attempt) => {
        await attempt(target, 'key-1').catch(() => {});
        return attempt(target, 'key-1', { waitedMs: 250 });
      },
      lane: async (attempt) => {
        if (records.length === 0) throw new GatewayError('upstream_reset');
        return createReply(attempt.target, { waitedMs: 40 });
      },
    });
    const reply = await run();
    await reply.deliver(output);
    expect(records.map(({ waitedMs }) => waitedMs)).to.deep.equal([undefined, 250]);
    expect(reply.waitedMs)
      .to.be.at.least(290)
      .and.below(290 + 5_000);
  });

  it("passes the strategy's signal to the attempt, else that of the exchange", async () => {
    const seen: AbortSignal[] = [];
    const { signal } = new AbortController();
    const { run } = createScene({
      strategy: async (_exchange, attempt) => {
        await attempt(target, 'key-1', { signal });
        return attempt(target, 'key-1');
      },
      lane: async (attempt) => {
        seen.push(attempt.signal);
        return createReply(attempt.target);
      },
    });
    await run();
    expect(seen[0]).to.equal(signal);
    expect(seen[1]).to.equal(createTestExchange().signal);
  });

  it('records an attempt at a target that does not serve the operation', async () => {
    const { run, records } = createScene({});
    const error = await catchRejection(run([createTestTarget('vendor/deaf')]));
    expect(error.failure).to.equal('unsuitable');
    expect(records.map(({ target: id }) => id)).to.deep.equal(['vendor/deaf']);
  });
});
