import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startFirst } from '../core/cli/serve-once.ts';
import { readPage } from '../docs/pages.ts';
import type { Installation } from './install.ts';

const PAGE = 'docs/start/quickstart.md';
const ADDRESS = 'http://127.0.0.1:8787';

/** Runs every command and every program of the page, with the packed package instead of a published one. */
export function testQuickstart(installed: () => Installation): void {
  it(`the commands and programs of ${PAGE} work`, async () => {
    const { tarball, config, npmCache } = installed();
    const folder = join(config, '../quickstart');
    mkdirSync(folder);
    const npx = `npm exec --yes --package ${tarball} --`;
    const [start = '', ask = '', ...installs] = textsOf('sh');
    const env = {
      ...process.env,
      PATH: [join(folder, 'global/bin'), process.env['PATH']].join(delimiter),
      npm_config_cache: npmCache,
      npm_config_prefix: join(folder, 'global'),
      npm_config_prefer_offline: 'true',
    };
    const inFolder = { cwd: folder, env };
    const gateway = await startFirst(inFolder, [
      'bash',
      '-ec',
      start.replace('npx koine-gateway serve', `exec ${npx} koine-gateway serve --port 0 --admin-port 0`),
    ]);
    try {
      const client = { cwd: folder, env: { ...env, KOINE_KEY: gateway.key } };
      const run = (command: string) => promisify(execFile)('bash', ['-ec', command], client);
      const { stdout } = await run(ask.replace(ADDRESS, gateway.url));
      expect(JSON.parse(stdout)).to.have.nested.property('choices[0].message.content').that.is.a('string');
      for (const program of textsOf('ts')) {
        writeFileSync(join(folder, 'ask.mts'), withSdkOfProject(program).replace(ADDRESS, gateway.url));
        const { stdout: answer } = await run(`${process.execPath} ask.mts`);
        expect(answer, program).to.match(/\w{3}/).and.not.include('undefined');
      }
      for (const commands of installs) {
        const { stdout: output } = await run(commands.replace(/(?<=^npm install .*)koine-gateway/m, tarball));
        expect(output, commands).to.match(/^koine \d/m);
      }
      expect(installs).to.have.length(2);
    } finally {
      await gateway.stop();
    }
  });
}

const textsOf = (language: string): readonly string[] =>
  readPage(PAGE)
    .blocks.filter((block) => block.language === language && block.marks['untested'] === undefined)
    .map(({ text }) => text);

/** The program, which imports the SDK of this project by its path: npm runs in its folder, and must not find links. */
const withSdkOfProject = (program: string): string =>
  program.replace(/from '([^']+)'/, (_, name: string) => `from '${import.meta.resolve(name)}'`);
