import { expect } from 'chai';
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { PrimaryLink } from '../../../../core/contracts/services.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { createLinkClient, createLocalLink } from '../../../../core/server/link/link.ts';
import { linkTo, rejectionOf } from './linked.ts';

const never = (): Promise<never> => new Promise(() => {});

describe('a link between a worker and the main thread', () => {
  it('sends a request with its plugin, worker and generation, and returns the response', async () => {
    const { worker } = linkTo((plugin, message, number, generation) => ({ plugin, message, number, generation }), 7);
    expect(await worker.link(12)('rate-limit').call({ take: 1 }, 1_000)).to.deep.equal({
      plugin: 'rate-limit',
      message: { take: 1 },
      number: 7,
      generation: 12,
    });
  });

  it('matches responses to requests in whatever order they come', async () => {
    const { worker } = linkTo((_plugin, message) =>
      message === 'slow' ? new Promise((resolve) => setTimeout(resolve, 20, 'late')) : `quick ${String(message)}`,
    );
    const { call } = worker.link(1)('p');
    expect(await Promise.all([call('slow', 5_000), call('a', 5_000), call('b', 5_000)])).to.deep.equal([
      'late',
      'quick a',
      'quick b',
    ]);
  });

  it('delivers the requests of one turn in their order', async () => {
    const order: unknown[] = [];
    const { worker } = linkTo((_plugin, message) => order.push(message));
    const { call } = worker.link(1)('p');
    const later = Promise.resolve().then(() => call('third', 1_000));
    await Promise.all([call('first', 1_000), worker.link(1)('q').call('second', 1_000), later]);
    expect(order).to.deep.equal(['first', 'second', 'third']);
  });

  it('carries structured values in both directions', async () => {
    const value = {
      at: new Date(0),
      sum: 10n ** 20n,
      spent: new Map([['acme', new Uint8Array([1, 2])]]),
      none: undefined,
    };
    const { worker } = linkTo((_plugin, message) => ({ ...(message as object), seen: new Set([1]) }));
    expect(await worker.link(1)('p').call(value, 1_000)).to.deep.equal({ ...value, seen: new Set([1]) });
  });

  it('moves a port, so that a worker can be sent messages without a hop over the main thread', async () => {
    const { port1, port2 } = new MessageChannel();
    const { worker } = linkTo(() => port2);
    const moved = (await worker.link(1)('p').call('open', 1_000)) as typeof port2;
    port1.postMessage('direct');
    expect(await once(moved, 'message')).to.deep.equal(['direct']);
    port1.close();
  });

  for (const [what, answer] of [
    [
      'at once',
      (reason: unknown) => {
        throw reason;
      },
    ],
    ['later', (reason: unknown) => Promise.reject(reason)],
  ] as const) {
    it(`carries an error that the instance throws ${what}, with all its details`, async () => {
      const limits = { requests: { limit: 50, remaining: 0, resetMs: 1_200, resetAt: 1_900_000_000_000 } };
      const thrown = new GatewayError('rate_limit_exceeded', 'Rate limit exceeded: 50 an hour.', {
        retryAfterMs: 1_200,
        limits,
        headers: { 'x-scope': 'project' },
        param: 'model',
      });
      const { worker } = linkTo(() => answer(thrown));
      const error = await rejectionOf(worker.link(1)('p').call({}, 1_000));
      expect(GatewayError.is(error)).to.equal(true);
      expect(error)
        .to.be.instanceOf(GatewayError)
        .and.to.deep.include({
          code: 'rate_limit_exceeded',
          status: 429,
          failure: 'rate-limit',
          message: thrown.message,
          retryAfterMs: 1_200,
          limits,
          headers: { 'x-scope': 'project' },
          param: 'model',
        });
    });
  }

  it('the link turns any other error into an internal_error', async () => {
    const { worker } = linkTo(() => {
      throw new TypeError('no such bucket');
    });
    expect(await rejectionOf(worker.link(1)('p').call({}, 1_000))).to.deep.include({
      code: 'internal_error',
      message: 'no such bucket',
    });
  });

  it('times out, names the plugin, and drops a later response', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { worker, responses } = linkTo(() => promise);
    expect(await rejectionOf(worker.link(1)('rate-limit').call({}, 20))).to.deep.include({
      code: 'internal_error',
      message: 'The primary instance of the plugin rate-limit did not respond within 20 ms.',
      failure: 'timeout',
    });
    resolve('late');
    while (responses.length === 0) await new Promise((turn) => setImmediate(turn));
  });

  it('accepts a response that arrived in time while the thread was busy', async () => {
    const { port1: near, port2: far } = new MessageChannel();
    const sent = new Int32Array(new SharedArrayBuffer(4));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port is not a window
    const link = createLinkClient((request) => near.postMessage(request));
    near.on('message', link.receive);
    const other = new Worker(
      "const { workerData: { port, sent } } = require('node:worker_threads');" +
        "port.once('message', ({ id }) => (port.postMessage({ id, value: 'in time' }), Atomics.store(sent, 0, 1)));",
      { eval: true, workerData: { port: far, sent }, transferList: [far] },
    );
    await once(other, 'online');
    const response = link.link(1)('p').call({}, 200);
    const [until, latest] = [performance.now() + 400, performance.now() + 30_000];
    while (performance.now() < until || (Atomics.load(sent, 0) === 0 && performance.now() < latest));
    try {
      expect(await rejectionOf(response)).to.equal('it resolved with "in time"');
    } finally {
      near.close();
      await other.terminate();
    }
  });

  it('the link drops responses that no request waits for', async () => {
    const { worker } = linkTo(() => 'right');
    const response = worker.link(1)('p').call({}, 1_000);
    worker.receive({ id: 99, value: 'wrong' });
    worker.receive({ id: 98, error: { code: 'internal_error', message: 'wrong', details: {} } });
    expect(await response).to.equal('right');
  });

  it('the link carries undefined and null in both directions', async () => {
    const { worker } = linkTo((_plugin, message) => (message === undefined ? null : undefined));
    const { call } = worker.link(1)('p');
    expect(await Promise.all([call(undefined, 1_000), call(null, 1_000)])).to.deep.equal([null, undefined]);
  });

  it('rejects a request that cannot be cloned, and no other', async () => {
    const { worker } = linkTo((_plugin, message) => message);
    const { call } = worker.link(1)('p');
    const [bad, good] = await Promise.all([rejectionOf(call({ count: () => 1 }, 1_000)), call('good', 1_000)]);
    expect(bad)
      .to.include({ code: 'internal_error' })
      .and.to.have.property('message')
      .that.match(/^The plugin p sent a request that cannot be passed between threads: .*could not be cloned/);
    expect(good).to.equal('good');
  });

  it('rejects a response that cannot be cloned, and no other', async () => {
    const { worker } = linkTo((_plugin, message) => (message === 'bad' ? { count: () => 1 } : message));
    const { call } = worker.link(1)('p');
    const [bad, good] = await Promise.all([rejectionOf(call('bad', 1_000)), call('good', 1_000)]);
    expect(bad)
      .to.include({ code: 'internal_error' })
      .and.to.have.property('message')
      .that.match(
        /^The primary instance of the plugin p returned a response that cannot be passed between threads: .*cloned/,
      );
    expect(good).to.equal('good');
  });
});

describe('a link within one thread', () => {
  it('the main thread calls the instance as worker 0', async () => {
    const message = { take: 1 };
    const link = createLocalLink((plugin, sent, worker) => ({ plugin, sent, worker }), 1);
    expect(await link('p').call(message, 1)).to.deep.equal({ plugin: 'p', sent: message, worker: 0 });
  });

  it('waits for a promise of the instance until the timeout', async () => {
    expect(await createLocalLink(async () => 'soon', 1)('p').call({}, 1_000)).to.equal('soon');
    expect(await rejectionOf(createLocalLink(never, 1)('p').call({}, 20))).to.deep.include({
      code: 'internal_error',
      message: 'The primary instance of the plugin p did not respond within 20 ms.',
      failure: 'timeout',
    });
  });

  it('the link returns no promise if the instance returns none', () => {
    expect(createLocalLink(() => 'now', 1)('p').call({}, 1_000)).to.equal('now');
  });

  it('the link throws the error of the instance as a worker would get it', async () => {
    const thrown = new GatewayError('limits_unavailable');
    const throwing = (error: Error): PrimaryLink =>
      createLocalLink(() => {
        throw error;
      }, 1)('p');
    expect(() => throwing(thrown).call({}, 1_000))
      .to.throw(GatewayError)
      .that.equals(thrown);
    expect(() => throwing(new TypeError('odd')).call({}, 1_000))
      .to.throw('odd')
      .that.has.property('code', 'internal_error');
    const rejecting = createLocalLink(() => Promise.reject(new TypeError('odd')), 1)('p');
    expect(await rejectionOf(rejecting.call({}, 1_000))).to.deep.include({ code: 'internal_error', message: 'odd' });
  });
});
