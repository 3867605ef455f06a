import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveOnce } from '../core/cli/serve-once.ts';
import { run, type Installation } from './install.ts';

/** The commands that an operator enters. */
export function testCommands(installed: () => Installation): void {
  const olderNodes = [
    { started: 'by npx', env: { npm_lifecycle_event: 'npx' }, advice: 'and repeat the command.' },
    { started: 'from a folder of packages', env: {}, advice: /(?:start koine with it|from node:24-slim)\.$/ },
  ];
  for (const { started, env, advice } of olderNodes)
    it(`prints one sentence on an older Node that is true if it was started ${started}`, () => {
      const disguise = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`;
      const words = ['--import', disguise, join(installed().folder, 'dist/bin/koine.js'), 'version'];
      const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
      expect(status).to.equal(2);
      expect(stderr.trim())
        .to.match(/^koine needs Node 24, or 22\.19 or later of Node 22, and this is Node 20\.20\.2: .*\.$/)
        .and.match(typeof advice === 'string' ? new RegExp(`${advice}$`) : advice)
        .and.not.contain('npm ci');
    });

  it('npm finds the command of the package by the name of the package alone', () => {
    // As in `npx koine-gateway`, with the package of this folder.
    expect(run('npm', ['exec', '--no', '--', 'koine-gateway', 'version'], installed().home)).to.match(/^koine \d/);
  });

  it('writes nothing beside its packages, and npm uninstall leaves nothing', () => {
    // A copy: other tests use the installation.
    const home = join(installed().config, '../uninstalled');
    run('cp', ['-a', installed().home, home], installed().home);
    run('npm', ['uninstall', 'koine-gateway'], home);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map(({ name }) => name).toSorted()).to.deep.equal([
      '.package-lock.json',
      'package-lock.json',
      'package.json',
    ]);
  });
}

/** What test/package/quickstart.ts does with the other name of the command. */
export function testNpx(installed: () => Installation): void {
  it('from an empty folder, npx writes a configuration and serves it with the short name of the command', async () => {
    const cwd = join(installed().config, '../by-koine');
    mkdirSync(cwd);
    const npx = ['npm', 'exec', '--yes', '--prefer-offline', '--package', installed().tarball, '--', 'koine'];
    const { text, answer } = await serveOnce(
      { cwd, env: { HOME: process.env['HOME'], npm_config_cache: installed().npmCache } },
      npx,
    );
    expect(text).to.include('simulator (needs no key): simulator/chat');
    expect(readdirSync(cwd).toSorted()).to.deep.equal(['data', 'gateway.schema.json', 'gateway.yaml']);
    expect(JSON.parse(answer)).to.have.nested.property('choices[0].message.content').that.is.a('string');
  });
}
