import { join } from 'node:path';
import { expect } from 'chai';
import { defineProvider } from '../../../core/api/index.ts';
import type { Explanation } from '../../../core/server/explain/explanation.ts';
import { journal } from '../../fixtures/extensions/third-party/journal.ts';
import { askAdmin, readJson } from '../../support/admin.ts';
import { builtIns, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { entryOf } from '../../support/scene.ts';

const desk = join(import.meta.dirname, '../../fixtures/extensions/third-party/desk.ts');

describe('explain with a third-party plugin', () => {
  let gateway: TestGateway;
  let explained: Explanation;
  before(async () => {
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': entryOf('simulator/chat') },
      plugins: [{ use: 'auth' }, { use: desk, config: { key: 'desk-key', word: 'teapot' } }],
    });
    journal.length = 0;
    explained = readJson<Explanation>(
      await askAdmin(gateway, 'POST', '/admin/explain', {
        key: 'alice',
        model: 'simulator/chat',
        wire: 'chat-completions',
      }),
    );
  });
  after(() => gateway?.stop());

  it('explain lists the file of a third-party plugin and the phases it takes part in', () => {
    expect(explained.plugins.map(({ use, origin }) => [use, origin])).to.deep.equal([
      ['auth', 'built-in'],
      [desk, desk],
    ]);
    expect(explained.plugins[1]?.phases).to.deep.equal([
      'middleware',
      'identify',
      'enter',
      'admit',
      'strategy',
      'interceptor',
      'fits',
      'observe',
    ]);
  });

  it('explain runs the rules of a third-party plugin, which move the request off the native lane', () => {
    const [target] = explained.targets;
    expect([target?.lane, target?.why]).to.deep.equal(['translated', 'a plugin changes requests to this target']);
    expect(target?.upstream?.body).to.deep.include({ model: 'chat' });
    expect(journal).to.include('fit chat');
  });

  it('explain runs no admission, strategy or interceptor of a third-party plugin, and reports that', () => {
    expect(journal.filter((line) => /^(?:admit|strategy|send|observe|settle)/.test(line))).to.deep.equal([]);
    expect(explained.notes).to.deep.equal([
      `The interceptor of ${desk} runs only when a call is made: its effect is not shown here.`,
    ]);
  });
});

describe('explain with a provider that fetches tokens', () => {
  let fetched = 0;
  const tokened = defineProvider<unknown>({
    kind: 'provider',
    apiVersion: 1,
    name: 'tokened',
    schema: { type: 'object' },
    create: (_options, { fetch }) => ({
      credentials: [{ id: 'account' }],
      endpoint: () => ({
        origin: { provider: 'tokened', family: 'tokened' },
        wires: [
          {
            operation: 'generate',
            wire: 'chat-completions',
            buildRequest: async ({ headers, body }) => {
              await fetch('https://tokens.invalid/', { timeoutMs: 1_000 });
              fetched += 1;
              return { origin: 'https://models.invalid', path: '/', headers, body };
            },
          },
        ],
      }),
    }),
  });

  it('explain fetches no token and reports why the call is not known', async () => {
    const gateway = await startTestGateway(
      {
        providers: { tokened: { use: 'tokened' } },
        models: { 'house/talk': { targets: [{ provider: 'tokened', model: 'm' }] } },
      },
      { ...builtIns, provider: { ...builtIns.provider, tokened } },
    );
    try {
      const { targets } = readJson<Explanation>(
        await askAdmin(gateway, 'POST', '/admin/explain', { key: 'alice', model: 'house/talk' }),
      );
      expect(targets[0]).to.not.have.any.keys('skipped', 'upstream');
      expect(targets[0]?.unsent).to.include('nothing is fetched while a request is explained');
      expect(fetched).to.equal(0);
    } finally {
      await gateway.stop();
    }
  });
});
