import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startFirst } from '../core/cli/serve-once.ts';
import { readPage } from '../docs/pages.ts';
import type { Installation } from './install.ts';

const PAGE = 'docs/start/quickstart.md';
const ADDRESS = 'http://127.0.0.1:8787';
/** What a first start writes. */
const FILES = ['data', 'gateway.schema.json', 'gateway.yaml'];

/** The environment of a reader whose global packages are in this folder. */
const environmentOf = ({ config, npmCache }: Installation): NodeJS.ProcessEnv => {
  const folder = join(config, '../global');
  return {
    ...process.env,
    PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
    npm_config_cache: npmCache,
    npm_config_prefix: folder,
    npm_config_prefer_offline: 'true',
  };
};

/** Starts the gateway as the page does, with the packed package instead of a published one, and runs its programs. */
export function testQuickstart(installed: () => Installation): void {
  it(`the first command and the programs of ${PAGE} work`, async () => {
    const { tarball, config } = installed();
    const folder = join(config, '../quickstart');
    mkdirSync(folder);
    const npx = `npm exec --yes --package ${tarball} --`;
    const [start = '', ask = ''] = textsOf('sh');
    const env = environmentOf(installed());
    // The installation first: a start has a deadline.
    await promisify(execFile)('bash', ['-ec', `${npx} koine-gateway version`], { cwd: folder, env });
    const gateway = await startFirst({ cwd: folder, env }, [
      'bash',
      '-ec',
      start.replace('npx koine-gateway serve', `exec ${npx} koine-gateway serve --port 0 --admin-port 0`),
    ]);
    try {
      expect(gateway.text).to.include('simulator (needs no key): simulator/chat');
      expect(readdirSync(join(folder, 'my-gateway')).toSorted()).to.deep.equal(FILES);
      const client = { cwd: folder, env: { ...env, KOINE_KEY: gateway.key } };
      const run = (command: string) => promisify(execFile)('bash', ['-ec', command], client);
      const { stdout } = await run(ask.replace(ADDRESS, gateway.url));
      expect(JSON.parse(stdout)).to.have.nested.property('choices[0].message.content').that.is.a('string');
      for (const program of textsOf('ts')) {
        writeFileSync(join(folder, 'ask.mts'), withSdkOfProject(program).replace(ADDRESS, gateway.url));
        const { stdout: answer } = await run(`${process.execPath} ask.mts`);
        expect(answer, program).to.match(/\w{3}/).and.not.include('undefined');
      }
    } finally {
      await gateway.stop();
    }
  });
}

/** Runs the other commands of the page. A local installation from the tarball exists: npm finds it complete. */
export function testInstalls(installed: () => Installation): void {
  it(`the commands of ${PAGE} that install the package work`, async () => {
    const { tarball, home: cwd } = installed();
    const [, , ...installs] = textsOf('sh');
    for (const commands of installs) {
      const command = commands.replace(/(?<=^npm install .*)koine-gateway/m, tarball);
      const options = { cwd, env: environmentOf(installed()) };
      const { stdout } = await promisify(execFile)('bash', ['-ec', command], options);
      expect(stdout, commands).to.match(/^koine \d/m);
    }
    expect(installs).to.have.length(2);
  });
}

const textsOf = (language: string): readonly string[] =>
  readPage(PAGE)
    .blocks.filter((block) => block.language === language && block.marks['untested'] === undefined)
    .map(({ text }) => text);

/** The program, which imports the SDK of this project by its path: npm runs in its folder, and must not find links. */
const withSdkOfProject = (program: string): string =>
  program.replace(/from '([^']+)'/, (_, name: string) => `from '${import.meta.resolve(name)}'`);
