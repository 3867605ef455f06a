import { expect } from 'chai';
import type { Dispatch } from '../../../core/dispatch/dispatcher.ts';
import { type Ending, GatewayError, type Outcome, type PluginInstance } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { createTestTarget } from '../../../core/testing/index.ts';
import { createReply } from './sample-exchange.ts';
import { createTestConnection, createSettlers, runExchange } from './pipeline-scene.ts';
import { useSimulatedTime } from '../../support/time/simulated-time.ts';

const target = createTestTarget('vendor/upstream');
const complete: Ending = { reason: 'complete', usage: undefined, outputChars: 2 };
const answering =
  (ending: Ending, text = 'ok') =>
  () =>
    Promise.resolve(
      createReply(target, {
        headers: { 'content-type': 'application/json' },
        deliver: async (output) => (await output.write(text), ending),
      }),
    );

/** Checks that every settle ran once, all with one outcome, and that the log has one line. */
const expectSettled = (
  settled: readonly Outcome[][],
  lines: readonly object[],
  result: Outcome['result'],
  status: number,
): void => {
  expect(settled.map((list) => list.length)).to.deep.equal([1, 1]);
  expect(settled[0]?.[0]).to.equal(settled[1]?.[0]);
  expect(settled[0]?.[0]).to.include({ result, status });
  expect(lines).to.have.length(1);
  expect(lines[0]).to.include({ outcome: result, status });
};

describe('an exchange', () => {
  it('settles an exchange once after delivery', async () => {
    const { plugins, settled } = createSettlers();
    const { connection, line } = await runExchange({ plugins, parts: { dispatch: answering(complete) } });
    expectSettled(settled, line, 'ok', 200);
    expect(settled[0]?.[0]?.ending).to.equal(complete);
    expect([connection.status, connection.text, connection.ended]).to.deep.equal([200, 'ok', 1]);
    expect(connection.headers).to.include({
      'x-request-id': 'req_1',
      'request-id': 'req_1',
      'x-koine-model': 'vendor/model',
      'x-koine-provider': 'vendor',
      'x-koine-lane': 'native',
      'content-type': 'application/json',
    });
  });

  it("settles an exchange once if its upstream refuses, and responds in the client's wire", async () => {
    const { plugins, settled } = createSettlers();
    const { connection, line } = await runExchange({
      plugins,
      parts: { dispatch: () => Promise.reject(new GatewayError('upstream_overloaded')) },
    });
    expectSettled(settled, line, 'upstream_error', 503);
    expect([connection.status, connection.text, connection.ended]).to.deep.equal([
      503,
      '{"code":"upstream_overloaded"}',
      1,
    ]);
    expect(connection.headers).to.include({
      'x-wire': 'plain',
      'content-length': '30',
      'x-koine-model': 'vendor/model',
    });
  });

  it('refuses an exchange whose response cannot be started, and releases the response', async () => {
    const { plugins, settled } = createSettlers();
    const reasons: string[] = [];
    const broken = createReply(target, { losses: [null] as never, cancel: ({ code }) => void reasons.push(code) });
    const { connection, line } = await runExchange({ plugins, parts: { dispatch: () => Promise.resolve(broken) } });
    expectSettled(settled, line, 'gateway_error', 500);
    expect([connection.status, connection.text, connection.ended]).to.deep.equal([500, '{"code":"internal_error"}', 1]);
    expect(reasons).to.deep.equal(['internal_error']);
  });

  for (const written of ['', 'o']) {
    it(`refuses an exchange whose delivery breaks ${written === '' ? 'before' : 'after'} anything is written: a plain response is not sent before its end`, async () => {
      const { connection } = await runExchange({
        parts: {
          dispatch: () =>
            Promise.resolve(
              createReply(target, {
                deliver: async (output) => {
                  if (written !== '') await output.write(written);
                  throw new GatewayError('internal_error');
                },
              }),
            ),
        },
      });
      expect([connection.status, connection.ended, connection.text]).to.deep.equal([
        500,
        1,
        JSON.stringify({ code: 'internal_error' }),
      ]);
    });
  }

  it('counts attempts and the pauses between them as waiting if no target responds', async () => {
    const facts = {
      target: 'vendor/upstream',
      credential: 'key-1',
      lane: undefined,
      committed: false,
      status: 503,
      failure: 'overloaded',
      losses: [],
    } as const;
    const { line } = await runExchange({
      parts: {
        clock: { now: () => 0, monotonic: () => 1_000 },
        dispatch: (_exchange, trail) => {
          trail.attempts.push({ ...facts, ms: 400 });
          trail.attempts.push({ ...facts, ms: 300, waitedMs: 200 });
          return Promise.reject(new GatewayError('upstream_overloaded'));
        },
      },
    });
    expect(line[0]).to.include({ ms_total: 1_000, ms_overhead: 100 });
  });

  it('settles an exchange once with the failure if its response breaks during delivery', async () => {
    const { plugins, settled } = createSettlers();
    const { line } = await runExchange({
      plugins,
      parts: {
        dispatch: answering({ ...complete, reason: 'truncated', error: new GatewayError('upstream_truncated') }),
      },
    });
    expectSettled(settled, line, 'upstream_error', 200);
  });

  it('settles an exchange once and writes nothing if its client has left', async () => {
    const { plugins, settled } = createSettlers();
    const controller = new AbortController();
    const dispatch = () => {
      controller.abort(new GatewayError('client_closed'));
      return Promise.reject(new GatewayError('upstream_reset'));
    };
    const { connection, line } = await runExchange({
      plugins,
      parts: { dispatch },
      head: { signal: controller.signal },
    });
    expectSettled(settled, line, 'client_closed', 499);
    expect([connection.status, connection.text]).to.deep.equal([0, '']);
  });

  it('settles the first two admissions once if the third plugin refuses, and makes no attempt', async () => {
    const { plugins, settled } = createSettlers();
    let attempts = 0;
    const error = new GatewayError('rate_limit_exceeded', undefined, {
      limits: { requests: { limit: 5, remaining: 0, resetMs: 1_000 } },
    });
    const refuses = {
      admit: () => {
        throw error;
      },
    };
    const { connection, line } = await runExchange({
      plugins: [...plugins, refuses],
      parts: { dispatch: async () => ((attempts += 1), createReply(target)) },
    });
    expectSettled(settled, line, 'rate_limited', 429);
    expect(settled[0]?.[0]?.error).to.equal(error);
    expect(attempts).to.equal(0);
    expect(connection.headers).to.include({ 'x-limit': '5' });
  });

  it('settles an exchange once if a bug ends it, responds 500 without details, and logs the cause', async () => {
    const { plugins, settled } = createSettlers();
    const bug = new TypeError('CANARY is not a function');
    const { connection, line, log } = await runExchange({ plugins, parts: { dispatch: () => Promise.reject(bug) } });
    expectSettled(settled, line, 'gateway_error', 500);
    expect(connection.text).to.equal('{"code":"internal_error"}');
    expect(log.lines.find(({ level }) => level === 'error')?.fields).to.deep.include({
      request_id: 'req_1',
      error: bug,
    });
  });

  it('responds and logs the exchange although a settle hook fails', async () => {
    const { plugins, settled } = createSettlers();
    const breaks = { admit: () => ({ settle: () => Promise.reject(new Error('no database')) }) };
    const { connection, line } = await runExchange({
      plugins: [breaks, ...plugins],
      parts: { dispatch: answering(complete) },
    });
    expectSettled(settled, line, 'ok', 200);
    expect(connection.text).to.equal('ok');
  });

  it('does not read the body of an unknown caller', async () => {
    const identify = () => {
      throw new GatewayError('invalid_api_key');
    };
    const { connection, line } = await runExchange({ parts: { identify } });
    expect([connection.status, connection.reads]).to.deep.equal([401, 0]);
    expect(line[0]).to.include({ outcome: 'auth', code: 'invalid_api_key' }).and.not.have.any.keys('key', 'model');
  });

  it('logs the caller of an exchange and calls no plugin if its body cannot be read', async () => {
    const { plugins, settled } = createSettlers();
    const { connection, line } = await runExchange({ plugins, body: '{"model":"vendor/model","model":"b"}' });
    expect(connection.status).to.equal(400);
    expect(line[0]).to.include({ outcome: 'client_error', term: 'CE', key_alias: 'alice' });
    expect(settled).to.deep.equal([[], []]);
  });

  const entering = (settled: Outcome[]): PluginInstance => ({
    enter: () => ({ settle: (outcome) => void settled.push(outcome) }),
  });

  for (const [title, body, status] of [
    ['answered', undefined, 200],
    ['refused for its body', '{', 400],
    ['refused for its model', '{"model":"vendor/none"}', 404],
  ] as const) {
    it(`settles the admission of the enter hook once if the exchange is ${title}`, async () => {
      const settled: Outcome[] = [];
      const { connection } = await runExchange(
        omitUndefined({
          plugins: [entering(settled)],
          body,
          parts: { dispatch: answering(complete) },
        }),
      );
      expect([connection.status, ...settled.map((outcome) => outcome.status)]).to.deep.equal([status, status]);
    });
  }

  it('settles the admission of the enter hook once if the client leaves before the body has arrived', async () => {
    const settled: Outcome[] = [];
    const connection = createTestConnection('');
    connection.readBody = () => Promise.reject(new GatewayError('client_closed'));
    await runExchange({ plugins: [entering(settled)], connection });
    expect(settled.map(({ result }) => result)).to.deep.equal(['client_closed']);
  });

  it('settles the plugins that entered before a refusal at enter, and does not read the body', async () => {
    const settled: Outcome[] = [];
    const calls: string[] = [];
    const refuses: PluginInstance = {
      enter: (head, { key }) => {
        calls.push(head.id, key);
        throw new GatewayError('rate_limit_exceeded');
      },
    };
    const { connection, line } = await runExchange({ plugins: [entering(settled), refuses, entering(settled)] });
    expect([connection.status, connection.reads, calls]).to.deep.equal([429, 0, ['req_1', 'alice']]);
    expect(settled.map(({ result }) => result)).to.deep.equal(['rate_limited']);
    expect(line[0]).to.include({ outcome: 'rate_limited', key_alias: 'alice' });
  });

  it('removes the key from the query before any inner layer sees it', async () => {
    let query: unknown;
    const admit = {
      admit: (exchange: { query: unknown; inbound: { query: unknown } }) => (
        (query = exchange.inbound.query),
        undefined
      ),
    };
    await runExchange({
      plugins: [admit],
      head: { query: { key: 'CANARY', alt: 'sse' } },
      parts: { dispatch: answering(complete) },
    });
    expect(query).to.deep.equal({ alt: 'sse' });
  });
});

describe('a streamed exchange', () => {
  useSimulatedTime();

  const body = '{"model":"vendor/model","stream":true}';

  it('responds with an HTTP error if the exchange fails before the stream is opened', async () => {
    const { connection } = await runExchange({
      body,
      parts: { dispatch: () => Promise.reject(new GatewayError('upstream_overloaded')) },
    });
    expect([connection.status, connection.text]).to.deep.equal([503, '{"code":"upstream_overloaded"}']);
  });

  it("opens the stream before content with keepalives, and ends it with the wire's error if no content arrives", async () => {
    const { plugins, settled } = createSettlers();
    const dispatch: Dispatch = (_, trail) => {
      trail.target = target;
      trail.provider = target.provider;
      return new Promise<never>((_resolve, reject) => setTimeout(reject, 110, new GatewayError('upstream_timeout')));
    };
    const { connection, line } = await runExchange({
      body,
      plugins,
      parts: { dispatch, stream: { openAfter: 20, keepaliveEvery: 20 } },
    });
    expect(connection.status).to.equal(200);
    expect(connection.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-koine-provider': 'vendor',
      'x-koine-attempts': '1',
    });
    expect(connection.text).to.match(/^(?::[^\n]*\n\n){5}event: error\ndata: \{"code":"upstream_timeout"\}\n\n$/);
    expectSettled(settled, line, 'timeout', 200);
  });

  it('opens the stream once, however long the first content takes', async () => {
    const connection = createTestConnection(body);
    let begun = 0;
    const { begin } = connection;
    connection.begin = (...all) => {
      begun += 1;
      begin(...all);
    };
    const dispatch = async () => {
      await new Promise((resolve) => setTimeout(resolve, 55));
      return createReply(target, { deliver: async (output) => (await output.write('data: 1\n\n'), complete) });
    };
    await runExchange({ connection, parts: { dispatch, stream: { openAfter: 10, keepaliveEvery: 10 } } });
    expect(begun).to.equal(1);
    expect(connection.text).to.match(/^(?::[^\n]*\n\n){5}data: 1\n\n$/);
    expect(connection.ended).to.equal(1);
  });

  it("sends the wire's own keepalives after the first content", async () => {
    const dispatch = () =>
      Promise.resolve(
        createReply(target, {
          deliver: async (output) => {
            await output.write('data: 1\n\n');
            await new Promise((resolve) => setTimeout(resolve, 80));
            return complete;
          },
        }),
      );
    const { connection } = await runExchange({
      body,
      parts: { dispatch, stream: { openAfter: 10_000, keepaliveEvery: 25 } },
    });
    expect(connection.text).to.match(/^data: 1\n\n(?:event: ping\ndata: \{\}\n\n){3}$/);
  });
});
