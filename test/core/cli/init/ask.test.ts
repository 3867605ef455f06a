import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { runHere } from '../run-here.ts';
import { runInTerminal, type Terminal } from './terminal.ts';

interface Written {
  readonly server: { readonly host: string };
  readonly store: object;
  readonly providers: Readonly<Record<string, { readonly config?: object }>>;
  readonly organizations?: object;
}

describe('koine init in a terminal', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  const terminals: Terminal[] = [];
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Terminal => {
    const terminal = runInTerminal(args, folder, env);
    terminals.push(terminal);
    return terminal;
  };
  afterEach(async () => {
    await Promise.all(terminals.splice(0).map((terminal) => terminal.stop()));
    rmSync(folder, { recursive: true });
  });
  const read = (): Written => parse(readFileSync(join(folder, 'gateway.yaml'), 'utf8')) as Written;

  it('asks for vendors, keys, projects and stores, and writes what passes koine check', async () => {
    const terminal = run(['init'], { OPENAI_API_KEY: 'sk-very-secret' });
    await terminal.answer('[openai]:', 'antropic');
    await terminal.answer('There is no vendor "antropic". Did you mean "anthropic"?', 'anthropic, openai');
    await terminal.answer('key of anthropic [ANTHROPIC_API_KEY]:', 'sk-ant-pasted-secret');
    await terminal.answer('secrets are never in the file.', 'TEAM_CLAUDE_KEY');
    await terminal.answer('key of openai [OPENAI_API_KEY]:', '');
    await terminal.answer('alone or a team? [alone]:', 'team');
    await terminal.answer('Projects of the team', 'web, mobile');
    await terminal.answer('Redis, if several gateways share limits', 'REDIS_URL');
    await terminal.answer('Postgres, in place of a SQLite file', 'DATABASE_URL');
    expect([await terminal.ended, terminal.shown()]).to.have.property('0', 0);

    const { server, store, providers, organizations } = read();
    expect(server.host).to.equal('0.0.0.0');
    expect(store).to.deep.equal({ database: '${DATABASE_URL}', redis: '${REDIS_URL}' });
    expect(Object.keys(providers)).to.deep.equal(['simulator', 'anthropic', 'openai']);
    expect(providers['anthropic']?.config).to.deep.equal({ apiKey: '${TEAM_CLAUDE_KEY:-}' });
    expect(organizations).to.deep.equal({ default: { projects: { default: {}, web: {}, mobile: {} } } });
    expect(readFileSync(join(folder, 'gateway.yaml'), 'utf8')).not.to.match(/very-secret|pasted/);
    expect(terminal.shown())
      .to.include('set TEAM_CLAUDE_KEY, REDIS_URL, DATABASE_URL')
      .and.include('keys create --project mobile --name PERSON');
    const env = {
      REDIS_URL: 'redis://127.0.0.1:1',
      DATABASE_URL: 'postgres://127.0.0.1:1/koine',
      TEAM_CLAUDE_KEY: 'k',
    };
    const { code, out } = await runHere(['check', '--strict'], { cwd: folder, env });
    expect([code, out]).to.have.property('0', 0);
  });

  it('writes what it writes without a terminal if each answer is empty, but for Redis', async () => {
    const terminal = run(['init']);
    for (const question of ['[none]:', '[alone]:', 'Redis', 'Postgres']) await terminal.answer(question, '');
    expect(await terminal.ended).to.equal(0);
    const asked = readFileSync(join(folder, 'gateway.yaml'), 'utf8');
    await runHere(['init', '--force'], { cwd: folder });
    const plain = readFileSync(join(folder, 'gateway.yaml'), 'utf8');
    expect(asked).to.equal(plain.replace('  redis: "${REDIS_URL:-}"', '  # redis: "${REDIS_URL}"'));
  });

  it('writes nothing if the questions are not answered', async () => {
    const terminal = run(['init']);
    await terminal.answer('[none]:', '');
    await terminal.answer('[alone]:', '\u0004');
    expect(await terminal.ended).to.equal(2);
    expect(terminal.shown()).to.include('Not all questions were answered, so nothing was written.');
    expect(existsSync(join(folder, 'gateway.yaml'))).to.equal(false);
  });

  it('asks nothing with --yes, or if the file exists', async () => {
    const written = run(['init', '--yes']);
    expect(await written.ended).to.equal(0);
    expect(written.shown()).to.match(/^Wrote gateway\.yaml/);
    const refused = run(['init']);
    expect(await refused.ended).to.equal(2);
    expect(refused.shown()).to.match(/^koine: gateway\.yaml exists|^gateway\.yaml exists/);
  });
});
