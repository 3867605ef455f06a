import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { hasPrograms, installPackages, installPython } from './cache.ts';
import { KEY, startPageGateway, type PageGateway } from './gateway.ts';
import { readPage, type Section } from './read-page.ts';
import { createHostRecorder } from './record-hosts.ts';
import { run } from './run.ts';
import { testPresets } from './sessions/test-presets.ts';
import { testSessions } from './sessions/test-sessions.ts';
import { createTcpRecorder } from './tcp-recorder.ts';

const PAGE = 'docs/start/agents.md';
const sections = readPage(PAGE);

/** A prompt that makes the simulator call this tool of the agent, and what the agent then reports. */
const tools: Readonly<Record<string, readonly [tool: string, result: RegExp]>> = {
  'Agents: Claude Code': ['Read', /Read answered: .*content of the sample/],
  'Agents: Codex': ['exec_command', /exec_command answered: /],
  'Agents: Gemini CLI': ['read_file', /read_file answered: content of the sample/],
  'Agents: OpenCode': ['read', /read answered: [^]*content of the sample/],
  'Agents: Qwen Code': ['read_file', /read_file answered: /],
  'Agents: Continue': ['Read', /Read answered: [^]*content of the sample/],
};

interface Scene {
  readonly gateway: PageGateway;
  /** The folders of the programs. */
  readonly path: string;
}

interface AgentRun {
  readonly output: string;
  /** Where it tried to connect to, beside the gateway. */
  readonly hosts: readonly string[];
}

/** Runs what the page shows, in an empty home folder, behind a proxy that refuses everything but loopback. */
async function runAgent({ gateway, path }: Scene, section: Section, prompt: string): Promise<AgentRun> {
  const folder = createTemporaryFolder();
  // Each run has its own: a program that an agent leaves behind can still connect.
  const recorder = await createHostRecorder();
  const [home, work] = [join(folder.path, 'home'), join(folder.path, 'work')];
  try {
    for (const made of [home, work]) mkdirSync(made);
    writeFileSync(join(work, 'sample'), 'content of the sample');
    for (const { file, text } of section.blocks) {
      if (file === undefined) continue;
      const target = file.replace('~', home);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, gateway.address(text));
    }
    const script = section.blocks.find(({ language }) => language === 'sh')?.text ?? '';
    expect(script).to.contain("'Hello'");
    const proxies = { HTTP_PROXY: recorder.url, HTTPS_PROXY: recorder.url, https_proxy: recorder.url };
    const { code, output } = await run(
      'bash',
      ['-e', '-c', gateway.address(script).replace("'Hello'", `'${prompt}'`)],
      work,
      {
        ...proxies,
        // OpenCode waits for an installation that the proxy refuses.
        npm_config_fetch_retries: '0',
        NO_PROXY: '127.0.0.1',
        no_proxy: '127.0.0.1',
        PATH: path,
        HOME: home,
        TERM: 'dumb',
        KOINE_KEY: KEY,
      },
    );
    expect(code, output).to.equal(0);
    return { output, hosts: recorder.hosts() };
  } finally {
    recorder.close();
    folder.remove();
  }
}

function testAgent(title: string, scene: () => Scene): void {
  const section = sections.find((each) => each.title === title)!;
  const name = title.slice('Agents: '.length);

  it(`${name} prints the answer of the model, and contacts no host that the page does not name`, async () => {
    const { output, hosts } = await runAgent(scene(), section, 'Hello');
    // Some agents add a text to the prompt that names a tool.
    expect(output).to.match(/You said: |The tools are back\. /);
    const exchanges = await scene().gateway.exchanges(1);
    expect(exchanges.map(({ status }) => status)).to.deep.equal(exchanges.map(() => 200));
    expect([...new Set(exchanges.map(({ wire_in }) => wire_in))]).to.deep.equal(section.wires);
    expect(hosts.filter((host) => !section.hosts.includes(host))).to.deep.equal([]);
  });

  const [tool, result] = tools[title] ?? [];
  if (tool !== undefined)
    it(`${name} runs a tool that the model calls, and returns its result`, async () => {
      const { output } = await runAgent(scene(), section, `${tool} please`);
      expect(output).to.match(result!);
      const exchanges = await scene().gateway.exchanges(2);
      expect(exchanges.map(({ status }) => status)).to.deep.equal(exchanges.map(() => 200));
    });
}

/** Defines a suite: `install` returns the folder of the programs. */
function testSuite(name: string, limitMs: number, titles: readonly string[], install: () => string): void {
  describe(name, function () {
    this.timeout(limitMs);
    let scene: Scene;
    before(async () => {
      const path = `${install()}:${dirname(process.execPath)}:${process.env['PATH']}`;
      scene = { path, gateway: await startPageGateway(PAGE) };
    });
    after(() => scene?.gateway.end());
    for (const title of titles) testAgent(title, () => scene);
  });
}

const codex = 'Agents: Codex';
const transports = {
  true: { title: 'over a WebSocket, and posts nothing', status: ' 101 ', isPosted: false },
  false: { title: 'by HTTP after a 426, and opens no WebSocket', status: ' 426 ', isPosted: true },
} as const;

/** Codex as the page sets it up for WebSocket, with `server.websocket` on and off. */
function testTransports(limitMs: number, install: () => string): void {
  const section = sections.find(({ title }) => title === codex)!;
  const blocks = section.blocks.map((block) => ({
    ...block,
    text: block.text.replace('wire_api = "responses"\n', (line) => `${line}supports_websockets = true\n`),
  }));
  describe('the transports of Codex (agents)', function () {
    this.timeout(limitMs);
    for (const websocket of [true, false]) {
      const { title, status, isPosted } = transports[`${websocket}`];
      it(`with server.websocket: ${websocket} it works ${title}`, async () => {
        const path = `${install()}:${dirname(process.execPath)}:${process.env['PATH']}`;
        const gateway = await startPageGateway(PAGE, { websocket });
        const recorder = await createTcpRecorder(new URL(gateway.address('http://127.0.0.1:8787')));
        const address = (text: string): string => text.replaceAll('http://127.0.0.1:8787', recorder.url);
        try {
          const scene = { path, gateway: { ...gateway, address } };
          const { output } = await runAgent(scene, { ...section, blocks }, 'exec_command please');
          expect(output).to.match(tools[codex]![1]);
          // The call of the tool and what the model makes of its result. Warming up has no line.
          const exchanges = await gateway.exchanges(2);
          expect(exchanges.map((line) => line['status'])).to.deep.equal([200, 200]);
          expect(recorder.sent()).to.match(/^GET \/v1\/responses HTTP\/1\.1\r\n/m);
          const answers = recorder.received().match(/^HTTP\/1\.1 (?:101|426) /gm) ?? [];
          expect(new Set(answers)).to.deep.equal(new Set([`HTTP/1.1${status}`]));
          expect(/^POST \/v1\/responses /m.test(recorder.sent())).to.equal(isPosted);
        } finally {
          recorder.close();
          await gateway.end();
        }
      });
    }
  });
}

const installAgents = (): string => {
  const folder = installPackages('agents', [
    // They put the program of this platform, an optional dependency, in its place.
    ['node', 'node_modules/@anthropic-ai/claude-code/install.cjs'],
    ['bash', '-c', 'cd node_modules/opencode-ai && node postinstall.mjs'],
  ]);
  return join(folder, 'node_modules/.bin');
};

/** The agents of the page, in `npm run test:clients`. */
export function testAgents(limitMs: number): void {
  const isTried = ({ title, blocks }: Section): boolean =>
    title.startsWith('Agents: ') && blocks.some(({ language }) => language === 'sh');
  const titles = sections.filter(isTried).map(({ title }) => title);
  const ofPython = titles.filter((title) => title.endsWith('aider'));
  const ofNpm = titles.filter((title) => !title.endsWith('aider'));

  testSuite('docs/start/agents.md with packages of npm (agents)', limitMs, ofNpm, installAgents);
  testTransports(limitMs, installAgents);
  const installPath = (): string => `${installAgents()}:${dirname(process.execPath)}:${process.env['PATH']}`;
  testSessions(limitMs, installPath);
  testPresets(limitMs, installPath);

  if (hasPrograms('python3'))
    testSuite('docs/start/agents.md in Python (aider)', limitMs, ofPython, () =>
      join(installPython('aider', 'aider.txt'), 'venv/bin'),
    );
}
