import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { bin } from '../../support/servers/koine-program.ts';

const config = `
server: { port: 0, drain: { delay: 0s } }
admin: { port: 0 }
providers:
  simulator: { use: simulator }
  openai: { use: openai, config: { apiKey: "\${OPENAI_API_KEY:-}" } }
  anthropic: { use: anthropic, config: { apiKey: "\${ANTHROPIC_API_KEY:-}" } }
models:
  simulator/chat: { targets: [{ provider: simulator, model: chat }] }
plugins: [{ use: auth }, { use: dashboard }, { use: ./slow.mjs }]
`;

/** Its start computes for longer than the event loop may be blocked. */
const slow = `export default { kind: 'plugin', apiVersion: 1, name: 'slow', schema: { type: 'object' }, create: async () => {
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (const end = Date.now() + 600; Date.now() < end; );
  return {};
} };`;

describe('the first start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-'));
  let child: ChildProcess;
  let [out, err] = ['', ''];
  before(async () => {
    writeFileSync(join(folder, 'gateway.yaml'), config);
    writeFileSync(join(folder, 'slow.mjs'), slow);
    child = spawn(process.execPath, [bin, 'serve'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await until('it has printed its key', () => err.includes('KOINE_KEY') || child.exitCode !== null);
  });
  after(async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    rmSync(folder, { recursive: true });
  });

  it('prints the address of the dashboard, which answers', async () => {
    const [, url = ''] = /^The dashboard is at (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(err) ?? [];
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
  });

  it('has one line for all providers without a key', () => {
    const lines = `${out}${err}`.split('\n').filter((line) => line.includes('are unavailable'));
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('"openai"').and.include('"anthropic"').and.not.include('"simulator"');
  });

  it('does not report that the start blocked the event loop', () =>
    expect(`${out}${err}`).to.include('the gateway is ready').and.not.include('the event loop was blocked'));
});
