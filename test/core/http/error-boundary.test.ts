import { expect } from 'chai';
import Koa, { type Middleware } from 'koa';
import { createErrorBoundary } from '../../../core/http/error-boundary.ts';
import type { Listener } from '../../../core/http/connection/listener.ts';
import { GatewayError } from '../../../core/api/index.ts';
import { readError, send } from '../../support/http.ts';
import { createTestLog } from '../../../core/testing/index.ts';
import { startListener, stopListener } from './koa-server.ts';

describe('an error that a middleware throws', () => {
  let listener: Listener;
  let middleware: Middleware;
  const log = createTestLog();
  before(async () => {
    const app = new Koa();
    app.on('error', () => {});
    app.use(createErrorBoundary(log, 'All is elsewhere.')).use((context, next) => middleware(context, next));
    listener = await startListener(app.callback());
  });
  after(() => stopListener(listener));
  beforeEach(() => {
    log.lines.length = 0;
  });
  const get = async (thrown: () => never, path = '/x') => {
    middleware = async () => thrown();
    return send(listener.url, { method: 'GET', path, headers: {} });
  };

  it('an error response keeps the status of a 4xx error of Koa', async () => {
    for (const status of [400, 403, 413, 418]) {
      const reply = await get(() => {
        throw Object.assign(new Error('the words of a plugin'), { status });
      });
      expect(reply.status).to.equal(status);
      expect(readError(reply).error).to.include({ message: 'the words of a plugin', type: 'invalid_request_error' });
    }
    expect(log.lines).to.deep.equal([]);
  });

  it('an error response has the headers of the error, and retry-after', async () => {
    const reply = await get(() => {
      throw new GatewayError('rate_limit_exceeded', undefined, {
        retryAfterMs: 86_400_000,
        failure: 'quota',
        headers: { 'x-koine-limit': 'address', 'x-odd': 'two\nlines' },
      });
    });
    expect(reply.status).to.equal(429);
    expect(reply.headers)
      .to.include({ 'retry-after': '86400', 'x-should-retry': 'false', 'x-koine-limit': 'address' })
      .and.not.have.property('x-odd');
  });

  const hidden: readonly (readonly [what: string, thrown: unknown])[] = [
    ['a bug', new TypeError('CANARY of undefined')],
    ['a 5xx of Koa’s', Object.assign(new Error('CANARY'), { status: 502, expose: true })],
    ['a status that is no number', Object.assign(new Error('CANARY'), { status: '400' })],
    ['no error at all', 'CANARY'],
    ['nothing', undefined],
  ];
  for (const [what, thrown] of hidden) {
    it(`responds 500 without details to ${what}, and logs it`, async () => {
      const reply = await get(() => {
        throw thrown;
      });
      expect(reply.status).to.equal(500);
      expect(reply.text).to.not.include('CANARY');
      expect(readError(reply).error).to.include({ type: 'server_error', code: 'internal_error' });
      expect(log.lines.map(({ level }) => level)).to.deep.equal(['error']);
    });
  }

  it('responds to a GatewayError with its code, in the shape for keys and limits', async () => {
    const reply = await get(() => {
      throw new GatewayError('invalid_api_key');
    });
    expect([reply.status, readError(reply)]).to.deep.equal([
      401,
      { error: { message: 'Invalid API key', type: 'invalid_request_error', code: 'invalid_api_key' } },
    ]);
  });

  it('an error response hides the message of an internal error', async () => {
    const reply = await get(() => {
      throw new GatewayError('upstream_unreachable', 'ECONNREFUSED 10.0.0.1');
    });
    expect([reply.status, reply.text.includes('10.0.0.1')]).to.deep.equal([502, false]);
  });

  it('the error boundary cuts a response that has begun', async () => {
    middleware = async (context) => {
      context.res.writeHead(200);
      context.res.write('begun');
      throw new Error('late');
    };
    const failed = await send(listener.url, { method: 'GET', path: '/x', headers: {} }).then(
      () => 'answered',
      () => 'cut',
    );
    expect(failed).to.equal('cut');
  });
});

describe('a path without a route', () => {
  let listener: Listener;
  before(async () => {
    const app = new Koa();
    app.use(createErrorBoundary(createTestLog(), 'All is elsewhere.'));
    listener = await startListener(app.callback());
  });
  after(() => stopListener(listener));

  it('responds 404 with the beginning of the path', async () => {
    const reply = await send(listener.url, { method: 'GET', path: `/${'x'.repeat(5_000)}`, headers: {} });
    expect(reply.status).to.equal(404);
    expect(readError(reply).error).to.include({ code: 'not_found' });
    expect(readError(reply).error.message).to.match(/^There is no route \/\[redacted\]\. All is elsewhere\.$/);
    expect(reply.text.length).to.be.below(500);
    expect(reply.headers['x-content-type-options']).to.equal('nosniff');
  });
});
