import { expect } from 'chai';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { AdminHandler } from '../../../../core/contracts/admin.ts';
import { createAdminApp } from '../../../../core/http/admin/app.ts';
import { Sessions } from '../../../../core/http/admin/login/sessions.ts';
import { createHealth } from '../../../../core/http/health.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { startListener, stopListener } from '../koa-server.ts';

const clock = { monotonic: () => performance.now(), now: () => 0 };
const long: AdminHandler = () => ({ body: { names: Array.from({ length: 1_000 }, (_, index) => `key-${index}`) } });
const short: AdminHandler = () => ({ body: { names: ['key-0'] } });

const ask = async (handler: AdminHandler, method: string, accepted: string | undefined) => {
  const app = createAdminApp({
    config: { host: '127.0.0.1' },
    health: createHealth(),
    log: createTestLog(),
    clock,
    sessions: new Sessions(clock),
    audit: { record: async () => {} },
    fill: (routerOf) => {
      const router = routerOf('the core');
      router.get('/admin/things', handler);
      router.post('/admin/things', handler);
    },
  });
  const listener = await startListener(app);
  try {
    const headers = {
      'content-type': 'application/json',
      ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
    };
    const sent = request(`${listener.url}/admin/things`, { method, headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { headers: response.headers, body: await buffer(response) };
  } finally {
    await stopListener(listener);
  }
};

describe('compression of the admin listener', () => {
  it('sends a long response of the admin listener with gzip to a client that accepts it', async () => {
    for (const accepted of ['gzip', 'gzip, deflate, br, zstd', 'gzip;q=0.8, *;q=0.1']) {
      const { headers, body } = await ask(long, 'GET', accepted);
      expect(headers).to.include({
        'content-encoding': 'gzip',
        'content-type': 'application/json; charset=utf-8',
        'content-length': `${body.length}`,
        vary: 'accept-encoding',
      });
      const text = gunzipSync(body).toString();
      expect(JSON.parse(text)).to.have.nested.property('names[999]', 'key-999');
      expect(body.length).to.be.lessThan(text.length / 2);
    }
  });

  it('sends a long response unchanged to a client that does not accept gzip', async () => {
    for (const accepted of [undefined, 'identity', 'gzip;q=0', 'br']) {
      const { headers, body } = await ask(long, 'GET', accepted);
      expect(headers).to.not.have.property('content-encoding');
      expect(headers).to.have.property('vary', 'accept-encoding');
      expect(JSON.parse(body.toString())).to.have.nested.property('names[999]', 'key-999');
    }
  });

  it('sends short responses, and those to calls that change something, without gzip', async () => {
    for (const [handler, method] of [
      [short, 'GET'],
      [long, 'POST'],
    ] as const)
      expect((await ask(handler, method, 'gzip')).headers, method).to.not.have.property('content-encoding');
  });
});
