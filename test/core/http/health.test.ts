import { expect } from 'chai';
import Koa from 'koa';
import { createAccessCheck } from '../../../core/http/admin/access-check.ts';
import { Sessions } from '../../../core/http/admin/login/sessions.ts';
import { createTokenCheck } from '../../../core/http/admin/login/token.ts';
import { createErrorBoundary } from '../../../core/http/error-boundary.ts';
import { createHealth, type Phase } from '../../../core/http/health.ts';
import type { Listener } from '../../../core/http/connection/listener.ts';
import { send } from '../../support/http.ts';
import { createTestLog } from '../../../core/testing/index.ts';
import { startListener, stopListener } from './koa-server.ts';

const clock = { monotonic: () => performance.now(), now: () => Date.now() };
const health = createHealth();
const startApp = async (): Promise<Listener> => {
  const app = new Koa();
  const log = createTestLog();
  app
    .use(createErrorBoundary(log, 'All is elsewhere.'))
    .use(health.middleware)
    .use(
      createAccessCheck(
        { host: '127.0.0.1', tokenCheck: createTokenCheck('the-admin-token', clock), sessions: new Sessions(clock) },
        log,
      ),
    );
  app.use((context) => {
    context.body = 'a page';
  });
  return startListener(app.callback());
};

describe('health', () => {
  let listener: Listener;
  before(async () => {
    listener = await startApp();
  });
  after(() => stopListener(listener));
  afterEach(() => {
    health.phase = 'starting';
  });

  const answers: Readonly<Record<Phase, readonly number[]>> = {
    starting: [200, 503, 503],
    serving: [200, 200, 200],
    draining: [200, 503, 200],
  };
  for (const [phase, statuses] of Object.entries(answers) as [Phase, readonly number[]][]) {
    it(`responds ${statuses.join(', ')} to livez, readyz, startupz in the phase ${phase}, without a token`, async () => {
      health.phase = phase;
      const replies = await Promise.all(
        ['/livez', '/readyz', '/startupz'].map((path) => send(listener.url, { method: 'GET', path, headers: {} })),
      );
      expect(replies.map(({ status }) => status)).to.deep.equal(statuses);
      for (const { status, text, headers } of replies) {
        expect(JSON.parse(text)).to.deep.equal({ status: status === 200 ? 'ok' : phase });
        expect(headers['cache-control']).to.equal('no-store');
      }
    });
  }

  it('health paths respond to HEAD, and to no other method', async () => {
    expect((await send(listener.url, { method: 'HEAD', path: '/livez', headers: {} })).status).to.equal(200);
    expect((await send(listener.url, { method: 'POST', path: '/livez', headers: {} })).status).to.equal(401);
  });
});
