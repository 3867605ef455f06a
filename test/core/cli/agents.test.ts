import { expect } from 'chai';
import { agentSetUps } from '../../../core/catalog/agent-set-ups.ts';
import { readPage } from '../../clients/read-page.ts';
import { createServedFolder, type ServedFolder } from './served-folder.ts';

describe('koine agents', () => {
  let folder: ServedFolder;
  before(() => {
    folder = createServedFolder({ server: { port: 8787 } });
  });
  after(() => folder.remove());

  it('has the lines of docs/start/agents.md, which the agents themselves test', () => {
    const sections = readPage('docs/start/agents.md');
    for (const setUp of Object.values(agentSetUps)) {
      const { title, file, commands } = setUp({ url: 'http://127.0.0.1:8787', model: 'simulator/chat' });
      const { blocks } = sections.find((section) => section.title === `Agents: ${title}`)!;
      const written = blocks.find((block) => block.file !== undefined);
      expect(written && { path: written.file, text: written.text }, title).to.deep.equal(file);
      expect(blocks.find(({ language }) => language === 'sh')?.text, title).to.equal(commands);
    }
  });

  it('prints all agents for the address and the first model of the configuration', async () => {
    const { code, out, err } = await folder.runProgram('agents');
    expect(code, err).to.equal(0);
    for (const part of [
      'Claude Code\n===========',
      'export ANTHROPIC_BASE_URL=http://127.0.0.1:8787\n',
      '~/.codex/config.toml:\n\nmodel = "simulator/chat"\n',
      'gemini --skip-trust -m simulator/chat',
      '"baseURL": "http://127.0.0.1:8787/v1", "apiKey": "{env:KOINE_KEY}"',
    ])
      expect(out).to.include(part);
    expect(err).to.include('warning: Codex needs the wire responses: add it to models.simulator/chat.wires.');
  });

  it('prints one agent for another address and an alias', async () => {
    const { out, err } = await folder.run('agents', 'claude', '--url', 'https://gateway.example', '--model', 'fast');
    expect(out)
      .to.include('export ANTHROPIC_BASE_URL=https://gateway.example\n')
      .and.include('export ANTHROPIC_MODEL=fast\n')
      .and.not.include('Codex');
    expect(err).to.equal('');
  });

  for (const [args, message] of [
    [['claud'], /knows claude, codex, gemini, opencode, not "claud"\. Did you mean "claude"\?/],
    [['--model', 'simulator/chit'], /no model or alias "simulator\/chit".*Did you mean "simulator\/chat"\?/],
    [['--url', 'gateway.example'], /--url must look like/],
    [['--url', 'https://gateway.example/v1'], /without a path/],
  ] as const)
    it(`koine exits with 2 on "agents ${args.join(' ')}"`, async () => {
      const { code, err } = await folder.run('agents', ...args);
      expect(code).to.equal(2);
      expect(err).to.match(message);
    });
});
