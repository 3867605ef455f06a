import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { runHere } from './run-here.ts';
import { root } from './run-koine.ts';
import { serveOnce } from './serve-once.ts';

describe('koine serve', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-serve-'));
  });
  afterEach(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true });
  });

  it('in an empty folder writes a configuration, serves it, and prints a curl command that works', async () => {
    const { text, answer } = await serveOnce({ cwd: folder, env: { OPENAI_API_KEY: 'sk-very-secret' } });
    expect(text)
      .to.match(
        /^Wrote gateway\.yaml, with these providers and models:\n {2}simulator \(needs no key\): simulator\/chat\n {2}openai \(its key is in OPENAI_API_KEY\): /,
      )
      .and.include(join(folder, 'data/koine.db'))
      .and.not.include('very-secret');
    expect(readdirSync(folder).toSorted()).to.deep.equal(['data', 'gateway.schema.json', 'gateway.yaml']);
    expect(JSON.parse(answer)).to.have.nested.property('choices[0].message.content').that.is.a('string');
  });

  it('uses the gateway.yaml of the folder if there is one', async () => {
    const mine =
      'providers: { simulator: { use: simulator } }\nmodels: { simulator/mine: { targets: [{ provider: simulator, model: chat }] } }\n';
    writeFileSync(join(folder, 'gateway.yaml'), mine);
    const { text } = await serveOnce({ cwd: folder });
    expect(text).to.include('"model":"simulator/mine"').and.not.include('Wrote');
    expect(readFileSync(join(folder, 'gateway.yaml'), 'utf8')).to.equal(mine);
    expect(existsSync(join(folder, 'gateway.schema.json'))).to.equal(false);
  });

  it('refuses a file of --config that does not exist, and writes nothing', async () => {
    const { code, err } = await runHere(['serve', '--config', 'none.yaml'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.include(
      'none.yaml does not exist. To write a first configuration there: koine init --config none.yaml',
    );
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('says where it cannot write a first configuration, and what to do', async () => {
    chmodSync(folder, 0o555);
    // The superuser can write in any folder of a disk.
    const cwd = process.getuid?.() === 0 ? '/sys' : folder;
    const { code, err } = await runHere(['serve'], { cwd });
    expect(code).to.equal(2);
    expect(err).to.match(
      /^There is no gateway\.yaml in .+, and a first one cannot be written: gateway\.yaml cannot be/,
    );
    expect(err).to.include('Start koine in a folder that it can write, or name a configuration with --config FILE.');
  });

  it('lets the heap grow once it serves', async () => {
    writeFileSync(join(folder, 'gateway.yaml'), 'server: { port: 0, drain: { delay: 0s } }\nadmin: { port: 0 }\n');
    const probe = join(import.meta.dirname, 'heap-after-start.ts');
    const child = spawn(process.execPath, ['--import', probe, `${root}bin/koine.js`, 'serve'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('it serves, or ends', () => text.includes('koine serves') || child.exitCode !== null);
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    const [, size] = /: ([\d.]+) MB$/m.exec(text) ?? [];
    expect(Number(size), text).to.be.above(8);
  });
});
