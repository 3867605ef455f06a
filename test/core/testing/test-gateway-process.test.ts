import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const kit = JSON.stringify(new URL('../../../core/testing/index.ts', import.meta.url));
const program = `
  const { startTestGateway } = await import(${kit});
  const gateway = await startTestGateway({ plugins: [{ use: 'ledger' }, { use: 'failover' }, { use: 'rate-limit' }] });
  for (const stream of [false, true]) {
    const body = JSON.stringify({ model: 'openai/gpt-4.1', stream, messages: [{ role: 'user', content: 'Hello' }] });
    const reply = await gateway.fetch('/v1/chat/completions', { method: 'POST', body });
    console.log(reply.status, (await reply.text()).includes('upstream'));
  }
  await gateway.close();
`;

/** Prints the modules of a gateway that are loaded with the kit. */
const importer = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import(${kit});
  const isOfGateway = (url) => /\\/(?:core\\/(?:server|http|built-ins|gateway)|plugins|providers)\\b/.test(url);
  console.log(loaded.length > 10, loaded.filter(isOfGateway));
`;

describe('a process with a gateway for tests', () => {
  const folder = createTemporaryFolder();
  after(() => folder.remove());

  it('ends by itself after close(), writes no log, leaves no file, and reads no gateway.yaml of its folder', () => {
    writeFileSync(join(folder.path, 'gateway.yaml'), 'this: { is: no configuration');
    writeFileSync(join(folder.path, 'main.mjs'), program);
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['main.mjs'], {
      cwd: folder.path,
      env: { ...process.env, TMPDIR: folder.path },
      encoding: 'utf8',
      timeout: 100_000,
    });
    expect({ status, signal, stdout, stderr }).to.deep.equal({
      status: 0,
      signal: null,
      stdout: '200 true\n200 true\n',
      stderr: '',
    });
    expect(readdirSync(folder.path)).to.have.members(['gateway.yaml', 'main.mjs']);
  }).timeout(120_000);

  it('loads no module of a gateway before startTestGateway', () => {
    writeFileSync(join(folder.path, 'import.mjs'), importer);
    const { stdout, stderr } = spawnSync(process.execPath, ['import.mjs'], { cwd: folder.path, encoding: 'utf8' });
    expect([stdout, stderr]).to.deep.equal(['true []\n', '']);
  });
});
