import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { PrimaryLink } from '../../../../core/contracts/services.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { createLinkClient, createLocalLink } from '../../../../core/server/link/link.ts';
import type { LinkResponse } from '../../../../core/server/link/messages.ts';
import { linkTo, rejectionOf } from './linked.ts';

const never = (): Promise<never> => new Promise(() => {});

describe('a link between a worker and the primary', () => {
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

  it('sends the requests of one turn in one message, and their responses in one', async () => {
    const { worker, requests, responses } = linkTo((_plugin, message) => message);
    const { call } = worker.link(1)('p');
    const later = Promise.resolve().then(() => call('third', 1_000));
    expect(await Promise.all([call('first', 1_000), worker.link(1)('q').call('second', 1_000), later])).to.deep.equal([
      'first',
      'second',
      'third',
    ]);
    expect(requests.map((batch) => batch.map(({ message }) => message))).to.deep.equal([
      ['"first"', '"second"', '"third"'],
    ]);
    expect(responses.map((batch) => batch.length)).to.deep.equal([3]);
    await call('fourth', 1_000);
    expect(requests).to.have.length(2);
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

  it('accepts a response that arrived in time while the process was busy', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const far = once(server, 'connection');
    const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [[peer]] = (await Promise.all([far, once(near, 'connect')])) as [[Socket], unknown];
    const link = createLinkClient(([ask]) => peer.write(JSON.stringify([{ id: ask?.id, value: '"in time"' }])));
    near.on('data', (text) => link.receive(JSON.parse(String(text)) as readonly LinkResponse[]));
    const response = link.link(1)('p').call({}, 20);
    await Promise.resolve();
    const until = performance.now() + 100;
    while (performance.now() < until);
    try {
      expect(await rejectionOf(response)).to.equal('it resolved with "in time"');
    } finally {
      near.destroy();
      server.close();
    }
  });

  it('the link drops responses that no request waits for', async () => {
    const { worker } = linkTo(() => 'right');
    const response = worker.link(1)('p').call({}, 1_000);
    worker.receive([
      { id: 99, value: '"wrong"' },
      { id: 98, error: { code: 'internal_error', message: 'wrong', details: {} } },
    ]);
    expect(await response).to.equal('right');
  });

  it('the link carries undefined and null in both directions', async () => {
    const { worker } = linkTo((_plugin, message) => (message === undefined ? null : undefined));
    const { call } = worker.link(1)('p');
    expect(await Promise.all([call(undefined, 1_000), call(null, 1_000)])).to.deep.equal([null, undefined]);
  });

  it('rejects a request that is not JSON, and no other', async () => {
    const { worker } = linkTo((_plugin, message) => message);
    const { call } = worker.link(1)('p');
    const [bad, good] = await Promise.all([rejectionOf(call({ count: 1n }, 1_000)), call('good', 1_000)]);
    expect(bad)
      .to.include({ code: 'internal_error' })
      .and.to.have.property('message')
      .that.match(/^The plugin p sent a request that is not JSON: .*BigInt/);
    expect(good).to.equal('good');
  });

  it('rejects a response that is not JSON, and no other', async () => {
    const { worker } = linkTo((_plugin, message) => (message === 'bad' ? { count: 1n } : message));
    const { call } = worker.link(1)('p');
    const [bad, good] = await Promise.all([rejectionOf(call('bad', 1_000)), call('good', 1_000)]);
    expect(bad)
      .to.include({ code: 'internal_error' })
      .and.to.have.property('message')
      .that.match(/^The primary instance of the plugin p returned a response that is not JSON: .*BigInt/);
    expect(good).to.equal('good');
  });
});

describe('a link within one process', () => {
  it('the primary process calls the instance as worker 0', async () => {
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
