import { join } from 'node:path';
import { expect } from 'chai';
import type { Explanation } from '../../core/runtime/explain/explanation.ts';
import { journal } from '../fixtures/extensions/third-party/journal.ts';
import { askAdmin, readJson } from './admin.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { entryOf } from './scene.ts';

const desk = join(import.meta.dirname, '../fixtures/extensions/third-party/desk.ts');

describe('explaining with a plugin of others', () => {
  let gateway: TestGateway;
  let told: Explanation;
  before(async () => {
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': entryOf('simulator/chat') },
      plugins: [{ use: 'auth' }, { use: desk, config: { key: 'desk-key', word: 'teapot' } }],
    });
    journal.length = 0;
    told = readJson<Explanation>(await askAdmin(gateway, 'POST', '/admin/explain', { key: 'alice', model: 'simulator/chat', wire: 'chat-completions' }));
  });
  after(() => gateway?.stop());

  it('names the file that it comes from, and every phase that it takes part in', () => {
    expect(told.plugins.map(({ use, origin }) => [use, origin])).to.deep.equal([
      ['auth', 'built-in'],
      [desk, desk],
    ]);
    expect(told.plugins[1]?.phases).to.deep.equal(['middleware', 'identify', 'admit', 'strategy', 'interceptor', 'fits', 'observe']);
  });

  it('asks its rules, for which the request leaves the native lane', () => {
    const [target] = told.targets;
    expect([target?.lane, target?.why]).to.deep.equal(['translated', 'a plugin bends requests to this target']);
    expect(target?.upstream?.body).to.deep.include({ model: 'chat' });
    expect(journal).to.include('fit chat');
  });

  it('asks neither its admission nor its strategy nor its interceptor, and says that the last is not seen', () => {
    expect(journal.filter((line) => /^(?:admit|strategy|send|observe|settle)/.test(line))).to.deep.equal([]);
    expect(told.notes).to.deep.equal([`What ${desk} does to calls as they are made (its interceptor) is not seen here.`]);
  });
});
