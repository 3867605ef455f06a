import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfig } from '../../core/config/load.ts';
import { startGateway, type Gateway } from '../../core/gateway.ts';
import { findFreePort } from '../../core/server/primary/free-port.ts';
import { systemClock } from '../../core/services/clock.ts';
import { createTestLog } from '../../core/testing/index.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { freshPostgres } from '../support/servers/databases.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startCommandServer, type CommandServer } from './command-server.ts';
import { documents, readPage, root, type Block, type Page } from './pages.ts';

const SERVES = /\bkoine(?: --)? serve\b|\bnpm start\b/;
/** Of the gateway, and of the vendors that pages start. */
const PORTS = /\b(?:878[78]|912\d)\b/g;
const USES_GATEWAY = /\b878[78]\b|--live\b/;

const writeHere = (command: string, body: string): string => `${command} << 'END OF BLOCK'\n${body}\nEND OF BLOCK`;

const writeBlock = ({ line, language, marks, text: body }: Block): string => {
  const at = `LINE=${line}\n`;
  if (marks['file'] !== undefined) return at + writeHere(`cat > ${marks['file']}`, body);
  if (marks['output'] !== undefined)
    return at + writeHere(language === 'json' ? 'expect_members' : 'expect_output', body);
  return `${at}{\n${body}\n} > "$OUTPUT"`;
};

const writeScript = ({ path, blocks }: Page): string => {
  const used = blocks.filter(({ marks }) => ['run', 'file', 'output'].some((mark) => marks[mark] !== undefined));
  const start = [`PAGE=${path} LINE=1`, `. ${join(root, 'test/docs/shell.sh')}`];
  return [...start, ...used.map(writeBlock)].join('\n');
};

/** Whether a page uses a gateway that it does not start. */
const needsGateway = ({ blocks }: Page): boolean => {
  const commands = blocks.filter(({ marks }) => marks['run'] !== undefined).map((block) => block.text);
  return !commands.some((each) => SERVES.test(each)) && commands.some((each) => USES_GATEWAY.test(each));
};

interface Result {
  readonly code: number | null;
  readonly output: string;
}

/** A gateway in this process: a program takes a second of CPU time. */
const startHere = async (file: string, env: Readonly<Record<string, string>>): Promise<Gateway> => {
  const load = () => loadConfig(file, builtIns, env);
  return startGateway(await load(), { log: createTestLog(), clock: systemClock, load });
};

let commands: CommandServer;

/** Runs the script in a process group of its own, which ends with it. */
const runPage = async (page: Page, variables: Readonly<Record<string, string>> = {}): Promise<Result> => {
  const folder = createTemporaryFolder();
  const script = writeScript(page);
  const named = [...new Set(['8787', '8788', ...(script.match(PORTS) ?? [])])];
  const free = await Promise.all(named.map(() => findFreePort({ host: '127.0.0.1', port: 0 })));
  const ports = new Map(named.map((port, index) => [port, String(free[index])]));
  const withPorts = (written: string): string => written.replaceAll(PORTS, (port) => ports.get(port) ?? port);
  const cwd = join(folder.path, 'checkout');
  const bin = join(folder.path, 'bin');
  for (const path of [cwd, bin]) mkdirSync(path);
  writeFileSync(join(cwd, 'gateway.yaml'), withPorts(readFileSync(join(root, 'test/docs/gateway.yaml'), 'utf8')));
  symlinkSync(process.execPath, join(bin, 'node'));
  commands.install(bin);
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: folder.path,
    ROOT: root,
    OUTPUT: join(folder.path, 'output'),
    PORT: withPorts('8787'),
    ADMIN_PORT: withPorts('8788'),
    KOINE_KEY: KEY,
    ...variables,
  };
  const gateway = needsGateway(page) ? await startHere(join(cwd, 'gateway.yaml'), env) : undefined;
  const child = spawn('bash', ['-c', withPorts(script)], {
    cwd,
    detached: true,
    timeout: 150_000,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'exit')) as [number | null];
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // Nothing of its group is left.
  }
  const [out, err] = await output;
  gateway?.cut();
  await gateway?.stop();
  folder.remove();
  return { code, output: `${out}\n${err}` };
};

/** Skips without the programs that the pages use, except in CI. */
const requirePrograms = (context: Mocha.Context): void => {
  const missing = ['bash', 'curl', 'jq', 'sqlite3'].filter(
    (name) => spawnSync(name, ['--version']).error !== undefined,
  );
  if (missing.length === 0) return;
  if (process.env['CI'] === 'true') throw new Error(`Missing: ${missing.join(', ')}. Install them (apt-get install).`);
  context.skip();
};

describe('commands of the pages', () => {
  before(async function () {
    requirePrograms(this);
    commands = await startCommandServer();
  });
  after(() => commands?.stop());

  it('the runner of commands reports the line of the first command that fails', async function () {
    this.timeout(120_000);
    const commands = ['```sh run\nA=1\nkoine keys list\n```', '```sh run\ntest "$A" = 1\ncurl 127.0.0.1:8787/no\n```'];
    const { code, output } = await runPage(readPage('page.md', commands.join('\n\n')));
    expect(code).to.not.equal(0);
    expect(output).to.include('page.md:6: failed: command curl');
  });

  it('the runner of commands reports a command of koine that fails, with its message', async () => {
    const { code, output } = await runPage(readPage('page.md', '```sh run\nkoine nonsense\n```'));
    expect(code).to.not.equal(0);
    expect(output).to.include('There is no command "nonsense"').and.include('page.md:1: failed:');
  });

  it('the runner of commands reports an output that differs from the page', async () => {
    const run = (shown: string) =>
      runPage(readPage('page.md', `\`\`\`sh run\necho one\necho two\n\`\`\`\n\n\`\`\`text output\n${shown}\n\`\`\`\n`));
    expect((await run('one\ntwo')).code).to.equal(0);
    const { code, output } = await run('one\nthree');
    expect(code).to.not.equal(0);
    expect(output).to.match(/-three\n\+two\n[^]*page\.md:6: failed: diff/);
  });

  it('the runner of commands reports a member that a page shows and a response does not have', async () => {
    const run = (shown: string) => {
      const response = `\`\`\`sh run\necho '[{ "a": { "b": 1 } }, { "c": 2 }]'\n\`\`\``;
      return runPage(readPage('page.md', `${response}\n\n\`\`\`json output\n${shown}\n\`\`\`\n`));
    };
    expect((await run('[{ "a": { "b": 5, "…": 0 }, "c": 1 }]')).code).to.equal(0);
    const { code, output } = await run('[{ "a": { "d": 5 } }]');
    expect(code).to.not.equal(0);
    expect(output).to.include('not in the response: [[0,"a","d"]]');
  });

  it('the commands of README.md work for a reader whose vendor keys are in the environment', async function () {
    this.timeout(180_000);
    const readme = documents.find(({ path }) => path === 'README.md')!;
    const last = { ...readme.blocks.at(-1)!, text: 'koine check --config ../my-gateway/gateway.yaml' };
    const vendorKeys = { OPENAI_API_KEY: 'sk-none', ANTHROPIC_API_KEY: 'sk-none', GEMINI_API_KEY: 'none' };
    const { code, output } = await runPage({ ...readme, blocks: [...readme.blocks, last] }, vendorKeys);
    expect(code, output).to.equal(0);
  });

  for (const page of documents.filter(({ blocks }) => blocks.some(({ marks }) => marks['run'] !== undefined)))
    it(`the commands of ${page.path} work`, async function () {
      this.timeout(180_000);
      const needsPostgres = page.text.includes('$DATABASE_URL');
      if (needsPostgres) requirePostgres(this);
      const { code, output } = await runPage(page, needsPostgres ? { DATABASE_URL: await freshPostgres() } : {});
      expect(code, output).to.equal(0);
    });
});
