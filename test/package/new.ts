import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAnswer, newPackages, type NewPackage } from '../core/cli/new/packages.ts';
import { readPage } from '../docs/pages.ts';
import type { Installation } from './install.ts';

const pages: Readonly<Record<string, string>> = {
  plugin: 'docs/extend/plugin.md',
  provider: 'docs/extend/provider.md',
};

const runIn = (command: string, cwd: string, { home }: Installation): string =>
  execFileSync('bash', ['-ec', command], {
    cwd,
    env: {
      PATH: `${join(home, 'node_modules/.bin')}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      // Behind a proxy of a company, npm needs its certificate.
      NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
      npm_config_prefer_offline: 'true',
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs `koine new` and the commands that it prints. @param publishes whether a kind is used as a package, too */
export function testNew(installed: () => Installation, publishes: (kind: string) => boolean): void {
  const run = (command: string, cwd: string): string => runIn(command, cwd, installed());
  const koine = () => [process.execPath, join(installed().folder, '../.bin/koine')];
  const commandsOf = (output: string): readonly string[] =>
    output.split('\n').flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.slice(1) ?? []);

  const runPrinted = async (written: NewPackage, home: string): Promise<void> => {
    const { kind, name, folder } = written;
    const [install = '', test = '', serve = ''] = commandsOf(run(`koine new ${kind} ${name}`, home));
    expect(install).to.equal(`npm install --prefix ${folder} --no-save ./node_modules/koine-gateway`);
    run(install, home);
    expect(run(test, home)).to.match(/pass [3-9]|pass \d\d/);
    expect(serve).to.equal(`koine serve --config ${folder}/gateway.yaml`);
    await expectAnswer(written, home, koine());
  };

  /** Builds and packs what was written, and serves the package from a folder where nothing else is installed. */
  const publish = async (written: NewPackage, folder: string): Promise<void> => {
    run('npm run build', folder);
    const tarball = join(folder, run('npm pack', folder).trim());
    const files = run(`tar -tf ${tarball}`, folder).trim().split('\n');
    expect(files).to.include.members(['package/package.json', 'package/README.md', 'package/dist/index.js']);
    expect(files.filter((file) => /\.test\.|recordings|gateway\.yaml/.test(file))).to.deep.equal([]);
    const team = join(installed().config, `../team-of-${written.folder}`);
    mkdirSync(join(team, written.folder), { recursive: true });
    writeFileSync(join(team, 'package.json'), '{ "private": true }');
    // npm would look for the gateway, a peer dependency, in the registry.
    run(`npm install --legacy-peer-deps ${tarball}`, team);
    const config = readFileSync(join(folder, 'gateway.yaml'), 'utf8');
    writeFileSync(
      join(team, written.folder, 'gateway.yaml'),
      config.replace('./index.ts', JSON.stringify(written.name)),
    );
    await expectAnswer(written, team, koine());
  };

  for (const written of newPackages) {
    const isPublished = publishes(written.kind);
    const uses = isPublished ? 'served, packed and used as a package' : 'and served';
    it(`what koine new ${written.kind} writes is installed, tested, ${uses}`, async () => {
      const folder = join(installed().home, written.folder);
      try {
        await runPrinted(written, installed().home);
        if (isPublished) await publish(written, folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
}

/** Runs the commands of the tutorials that need an installed package. */
export function testTutorials(installed: () => Installation): void {
  for (const [kind, page] of Object.entries(pages))
    it(`the commands of npm in ${page} work`, () => {
      const cwd = join(installed().config, `../tutorial-${kind}`);
      mkdirSync(cwd);
      const blocks = readPage(page).blocks.filter(({ language }) => language === 'sh');
      const creation = blocks.find(({ text }) => text.includes('koine new'))?.text ?? '';
      const commands = blocks.filter(({ marks }) => marks['test'] !== undefined).map(({ text }) => text);
      const script = [creation.split('\n')[0], ...commands].join('\n');
      const output = runIn(script.replaceAll('./node_modules/koine-gateway', installed().folder), cwd, installed());
      expect(output).to.match(/pass \d+/);
      expect(readdirSync(cwd).filter((file) => file.endsWith('.tgz'))).to.have.length(1);
    });
}
