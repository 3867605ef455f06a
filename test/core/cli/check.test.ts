import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runKoine } from './run-koine.ts';

describe('koine check', function () {
  this.timeout(30_000);
  let folder = '';
  const write = (text: string): string => {
    writeFileSync(join(folder, 'gateway.yaml'), text);
    return folder;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('says that the shipped file is good, with no variable set', async () => {
    const { code, out, err } = await runKoine(['check']);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.match(/^gateway\.yaml is good: 4 providers, \d+ models, \d+ aliases, 0 keys, 20 routes, \d+ plugins\.\n$/);
  });

  it('exits with 1 and prints each problem with its place and frame', async () => {
    const cwd = write('server:\n  prot: 8787\nplugins:\n  - use: oauth\n');
    const { code, out } = await runKoine(['check'], { cwd });
    expect(code).to.equal(1);
    expect(out).to.equal(`gateway.yaml:2:3 error unknown-key "prot" is not a setting of server. Did you mean "port"?
  1 | server:
> 2 |   prot: 8787
    |   ^

gateway.yaml:4:10 error KOINE_EXTENSION_NOT_FOUND "oauth" is neither a built-in plugin nor a package that is installed beside the configuration. Did you mean "auth"?
  3 | plugins:
> 4 |   - use: oauth
    |          ^

`);
  });

  it('prints the same as JSON', async () => {
    const cwd = write('server:\n  prot: 8787\n');
    const { code, out } = await runKoine(['check', '--format', 'json'], { cwd });
    expect(code).to.equal(1);
    expect(JSON.parse(out)).to.deep.equal([
      { file: 'gateway.yaml', line: 2, column: 3, severity: 'error', rule: 'unknown-key', message: '"prot" is not a setting of server. Did you mean "port"?' },
    ]);
  });

  it('allows warnings', async () => {
    const cwd = write('providers:\n  spare: { use: simulator }\n');
    const { code, out } = await runKoine(['check', '--config', './gateway.yaml'], { cwd });
    expect(code).to.equal(0);
    expect(out).to.match(/^\.\/gateway\.yaml:2:3 warning unused-provider /);
    expect(out).to.match(/\.\/gateway\.yaml is good: 1 provider, 0 models, 0 aliases, 0 keys, 20 routes, 0 plugins\.\n$/);
    expect(JSON.parse((await runKoine(['check', '--format', 'json'], { cwd })).out)).to.have.length(1);
  });

  it('never shows what a variable holds', async () => {
    const cwd = write('server: { host: "${SECRET}", port: "${SECRET}" }\nstore: { database: "${SECRET}" }\nplugins: [{ use: "${SECRET}" }]\n');
    const { code, out, err } = await runKoine(['check'], { cwd, env: { SECRET: 'very-secret' } });
    expect(code).to.equal(1);
    expect(out + err).not.to.match(/very-secret/);
  });

  for (const [what, args, message] of [
    ['a file that is not there', ['--config', 'none.yaml'], 'none.yaml cannot be read: there is no such file.'],
    ['an unknown option', ['--confg', 'gateway.yaml'], "Unknown option '--confg'"],
    ['a word too many', ['gateway.yaml'], 'Unexpected argument'],
    ['an unknown format', ['--format', 'xml'], '--format must be text or json, not "xml".'],
  ] as const)
    it(`exits with 2 on ${what}`, async () => {
      const { code, err } = await runKoine(['check', ...args], { cwd: folder });
      expect(code).to.equal(2);
      expect(err).to.include(message);
    });
});
