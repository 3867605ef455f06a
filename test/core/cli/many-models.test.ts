import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '../../../');
const MB = 2 ** 20;

describe('koine serve with many models', function suite() {
  this.timeout(180_000);
  const folder = createTemporaryFolder();
  after(() => folder.remove());

  /** What the heap of a gateway with this many models retains, in bytes. */
  const measure = async (count: number): Promise<number> => {
    const models = Array.from(
      { length: count },
      (_, index) =>
        `  team/model-${index}: { targets: [{ provider: openai, model: made-${index} }], ` +
        `price: { input: ${index + 1}, output: 2 } }`,
    );
    const file = join(folder.path, `${count}.yaml`);
    writeFileSync(
      file,
      ['server: { port: 0, drain: { delay: 0s } }', 'admin: { port: 0 }', 'store: { database: "sqlite::memory:" }']
        .concat('providers: { openai: { use: openai, config: { apiKey: none } } }', 'models:', models)
        .join('\n'),
    );
    const probe = join(import.meta.dirname, 'print-heap.ts');
    const child = spawn(process.execPath, ['--import', probe, `${root}bin/koine.js`, 'serve', '--config', file], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('it serves, or ends', () => text.includes('koine serves') || child.exitCode !== null);
    child.kill('SIGUSR2');
    await until('it has printed', () => /retained: \d+/.test(text) || child.exitCode !== null);
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    const bytes = /retained: (\d+)/.exec(text)?.[1];
    expect(bytes, text).to.be.a('string');
    return Number(bytes);
  };

  it('10,000 models retain at most 100 MB', async () => {
    const few = await measure(10);
    const many = await measure(10_000);
    expect((many - few) / MB).to.be.below(100);
  });
});
