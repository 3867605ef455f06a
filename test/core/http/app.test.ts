import { expect } from 'chai';
import { createCatalog } from '../../../core/catalog/catalog.ts';
import type { PluginInstance } from '../../../core/api/index.ts';
import { createDataApp } from '../../../core/http/app.ts';
import { createHealth } from '../../../core/http/health.ts';
import type { Listener } from '../../../core/http/connection/listener.ts';
import { send } from '../../support/http.ts';
import { plainClient } from '../exchange/pipeline-scene.ts';
import { createTestLog } from '../../../core/testing/index.ts';
import { startListener, stopListener } from './koa-server.ts';

const path = '/v1/chat/completions';
const server = { trustProxy: [], bodyLimit: 1_000, bodyRate: { perSecond: 1, grace: 10_000 } };
const passes: PluginInstance = { middleware: (_context, next) => next() };

describe('an exchange whose pipeline throws', () => {
  let listener: Listener | undefined;
  afterEach(() => listener && stopListener(listener));

  for (const [way, plugins] of [
    ['without Koa', []],
    ['with Koa', [passes]],
  ] as const) {
    it(`responds 500 ${way} if the pipeline throws, logs it, and keeps running`, async () => {
      const log = createTestLog();
      const app = createDataApp({
        config: { server: server as never, routes: [{ path, wire: 'plain', operation: 'generate' }] },
        catalog: createCatalog({ models: {}, aliases: {} }, new Map(), [], 0),
        codecs: [],
        codec: (operation, wire) => ({ operation, wire, client: plainClient as never }),
        direct: {
          identify: () => ({ key: 'alice', project: 'web', organization: 'acme', models: [] }),
          enter: () => {},
          admitDirect: async () => {},
          logExchange: () => {},
          logDirect: () => {},
          ended: () => {},
          clock: { now: () => 0, monotonic: () => 0 },
          log,
        },
        vendorState: undefined as never,
        stored: undefined as never,
        background: undefined as never,
        framing: () => undefined,
        run: () => Promise.reject(new Error('the codec broke')),
        plugins,
        health: createHealth(),
        clock: { now: () => 0, monotonic: () => 0 },
        log,
      });
      listener = await startListener(app.listener);
      for (let time = 0; time < 2; time += 1) {
        const { status, text } = await send(listener.url, { path, headers: {} });
        expect(status).to.equal(500);
        expect(JSON.parse(text)).to.have.nested.property('error.code', 'internal_error');
        expect(text).to.not.include('the codec broke');
      }
      expect(log.lines.map(({ text }) => text)).to.deep.equal(Array(2).fill('the pipeline failed to send a response'));
    });
  }
});
