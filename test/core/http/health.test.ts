import { expect } from 'chai';
import Koa from 'koa';
import { createAdminGuard } from '../../../core/http/admin-guard.ts';
import { createErrorBoundary } from '../../../core/http/error-boundary.ts';
import { createHealth, type Phase } from '../../../core/http/health.ts';
import type { Listener } from '../../../core/http/listener.ts';
import { readError, send, type HttpReply } from '../../e2e/http.ts';
import { createLogList } from '../exchange/sample-exchange.ts';
import { startListener, stopListener } from './koa-server.ts';

const health = createHealth();
const startApp = async (token: string | undefined): Promise<Listener> => {
  const app = new Koa();
  app.use(createErrorBoundary(createLogList())).use(health.middleware).use(createAdminGuard(token));
  app.use((context) => {
    context.body = 'a page';
  });
  return startListener(app.callback());
};

describe('health', () => {
  let listener: Listener;
  before(async () => {
    listener = await startApp('the-admin-token');
  });
  after(() => stopListener(listener));
  afterEach(() => {
    health.phase = 'starting';
  });

  const answers: Readonly<Record<Phase, readonly number[]>> = { starting: [200, 503, 503], serving: [200, 200, 200], draining: [200, 503, 200] };
  for (const [phase, statuses] of Object.entries(answers) as [Phase, readonly number[]][]) {
    it(`of a process that is ${phase}: livez, readyz, startupz are ${statuses.join(', ')}, without a token`, async () => {
      health.phase = phase;
      const replies = await Promise.all(['/livez', '/readyz', '/startupz'].map((path) => send(listener.url, { method: 'GET', path, headers: {} })));
      expect(replies.map(({ status }) => status)).to.deep.equal(statuses);
      for (const { status, text, headers } of replies) {
        expect(JSON.parse(text)).to.deep.equal({ status: status === 200 ? 'ok' : phase });
        expect(headers['cache-control']).to.equal('no-store');
      }
    });
  }

  it('answers HEAD, and nothing else', async () => {
    expect((await send(listener.url, { method: 'HEAD', path: '/livez', headers: {} })).status).to.equal(200);
    expect((await send(listener.url, { method: 'POST', path: '/livez', headers: {} })).status).to.equal(401);
  });
});

describe('the admin token', () => {
  const listeners: Listener[] = [];
  afterEach(async () => {
    for (const listener of listeners.splice(0)) await stopListener(listener);
  });
  const get = async (token: string | undefined, authorization?: string): Promise<HttpReply> => {
    const listener = await startApp(token);
    listeners.push(listener);
    return send(listener.url, { method: 'GET', path: '/page', headers: authorization === undefined ? {} : { authorization } });
  };

  it('lets its holder pass, however Bearer is spelt', async () => {
    for (const spelt of ['Bearer secret', 'bearer  secret', 'secret']) expect((await get('secret', spelt)).status, spelt).to.equal(200);
  });

  for (const wrong of [undefined, '', 'Bearer', 'Bearer ', 'Bearer secre', 'Bearer secrets', 'Bearer SECRET', 'Basic secret', 'Bearer Bearer secret']) {
    it(`keeps ${JSON.stringify(wrong ?? null)} out`, async () => {
      const reply = await get('secret', wrong);
      expect(reply.status).to.equal(401);
      expect(readError(reply).error.code).to.equal('invalid_api_key');
      expect(reply.text).to.not.include('secret');
    });
  }

  it('is not asked for where none is set', async () => expect((await get(undefined)).status).to.equal(200));
});
