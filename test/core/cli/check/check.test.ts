import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compileSchema } from '../../../../core/config/validate/validate.ts';
import { runHere } from '../run-here.ts';
import { runKoine } from '../run-koine.ts';
import { sarifSchema } from '../sarif.ts';

describe('koine check', () => {
  let folder = '';
  const write = (text: string): string => {
    writeFileSync(join(folder, 'gateway.yaml'), text);
    return folder;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('accepts the shipped file with no variable set', async () => {
    const { code, out, err } = await runHere(['check']);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.match(
      /^gateway\.yaml is valid: 6 providers, \d+ models, \d+ aliases, 0 keys, \d+ routes, \d+ plugins\.\n$/,
    );
  });

  it('exits with 1 and prints each problem with its position and source frame', async () => {
    const cwd = write('server:\n  prot: 8787\nplugins:\n  - use: oauth\n');
    const { code, out } = await runKoine(['check'], { cwd });
    expect(code).to.equal(1);
    expect(out).to.equal(`gateway.yaml:2:3 error unknown-key "prot" is not a setting of server. Did you mean "port"?
  1 | server:
> 2 |   prot: 8787
    |   ^
  docs/reference/rules.md#unknown-key

gateway.yaml:4:10 error KOINE_EXTENSION_NOT_FOUND "oauth" is neither a built-in plugin nor a package installed beside the configuration. Did you mean "auth"?
  3 | plugins:
> 4 |   - use: oauth
    |          ^
  docs/reference/rules.md#koine_extension_not_found

`);
  });

  it('koine check prints the problems as JSON', async () => {
    const cwd = write('server:\n  prot: 8787\n');
    const { code, out } = await runHere(['check', '--format', 'json'], { cwd });
    expect(code).to.equal(1);
    expect(JSON.parse(out)).to.deep.equal([
      {
        file: 'gateway.yaml',
        line: 2,
        column: 3,
        severity: 'error',
        rule: 'unknown-key',
        message: '"prot" is not a setting of server. Did you mean "port"?',
      },
    ]);
  });

  it('koine check --strict exits with 1 if there are warnings, and with 0 without', async () => {
    const cwd = write('providers: { simulator: { use: simulator } }\n');
    expect((await runHere(['check'], { cwd })).code).to.equal(0);
    const { code, out } = await runHere(['check', '--strict'], { cwd });
    expect(code).to.equal(1);
    expect(out).to.include('warning unused-provider');
    write('plugins: []\n');
    expect((await runHere(['check', '--strict'], { cwd })).code).to.equal(0);
  });

  it('koine check reports weights of targets that a model does not have', async () => {
    const cwd = write(`providers: { simulator: { use: simulator } }
models: { simulator/chat: { targets: [{ provider: simulator, model: chat }] } }
plugins:
  - use: auth
  - { use: failover, config: { models: { simulator/*: { weights: { simulator: 1, simulater: 2, simulator/chat: 1 } } } } }
`);
    const { code, out } = await runHere(['check'], { cwd });
    expect(code).to.equal(0);
    expect(out.match(/ warning .*/g)).to.deep.equal([
      ' warning refused-setting No target of "simulator/*" is "simulater", so this weight has no effect. ' +
        'Its targets are simulator/chat.',
    ]);
  });

  it('koine check exits with 0 if there are only warnings', async () => {
    const cwd = write('providers:\n  spare: { use: simulator }\n');
    const { code, out } = await runHere(['check', '--config', './gateway.yaml'], { cwd });
    expect(code).to.equal(0);
    expect(out).to.match(/^\.\/gateway\.yaml:2:3 warning unused-provider /);
    expect(out).to.match(
      /\.\/gateway\.yaml is valid: 1 provider, 0 models, 0 aliases, 0 keys, \d+ routes, 0 plugins\.\n$/,
    );
    expect(JSON.parse((await runHere(['check', '--format', 'json'], { cwd })).out)).to.have.length(1);
  });

  it('prints one GitHub annotation per line, with any characters in file names', async () => {
    mkdirSync(join(folder, 'a,b%'));
    writeFileSync(
      join(folder, 'a,b%/gateway.yaml'),
      'server: { "po:rt,\\n": 1 }\nproviders: { spare: { use: simulator } }\n',
    );
    const { code, out } = await runHere(['check', '--format', 'github', '--audit', '--config', './a,b%/gateway.yaml'], {
      cwd: folder,
    });
    expect(code).to.equal(1);
    expect(out).to
      .equal(`::notice file=a%2Cb%25/gateway.yaml,line=1,col=1,title=no-limits::Callers have no limits: the file has none that is enforced. Set at least "limits", which apply to each key. (docs/reference/rules.md#no-limits)
::error file=a%2Cb%25/gateway.yaml,line=1,col=11,title=unknown-key::"po:rt,\\n" is not a setting of server. (docs/reference/rules.md#unknown-key)
::warning file=a%2Cb%25/gateway.yaml,line=2,col=14,title=unused-provider::providers.spare is never called: no model has a target with this provider. Add one, or remove the provider. (docs/reference/rules.md#unused-provider)
`);
  });

  it('prints SARIF 2.1.0 for code scanning', async () => {
    mkdirSync(join(folder, 'über uns'));
    writeFileSync(
      join(folder, 'über uns/gateway.yaml'),
      'server: { prot: 1 }\nproviders: { spare: { use: simulator } }\n',
    );
    const { code, out } = await runHere(
      ['check', '--format', 'sarif', '--audit', '--config', './über uns/gateway.yaml'],
      { cwd: folder },
    );
    expect(code).to.equal(1);
    const { version, runs } = JSON.parse(out);
    expect(version).to.equal('2.1.0');
    expect(runs).to.have.length(1);
    const [{ tool, results }] = runs;
    expect(tool.driver.name).to.equal('koine');
    expect(
      results.map(({ level, ruleId, ruleIndex }: Record<string, number>) => [
        level,
        ruleId,
        tool.driver.rules[ruleIndex ?? -1]?.id,
      ]),
    ).to.deep.equal([
      ['note', 'no-limits', 'no-limits'],
      ['error', 'unknown-key', 'unknown-key'],
      ['warning', 'unused-provider', 'unused-provider'],
    ]);
    expect(results[1].message.text).to.match(/^"prot" is not a setting/);
    expect(results[1].locations).to.deep.equal([
      {
        physicalLocation: {
          artifactLocation: { uri: '%C3%BCber%20uns/gateway.yaml' },
          region: { startLine: 1, startColumn: 11 },
        },
      },
    ]);
  });

  it('prints SARIF that is valid against its schema, with any file name', async () => {
    const isSarif = compileSchema<never>(sarifSchema);
    for (const text of [
      'server: {}\n',
      'server: [\n',
      '"a\\n\\e[31m%,\'": 1\nplugins: [{ use: auth, config: 1 }, 2]\n',
    ]) {
      const cwd = write(text);
      for (const config of ['gateway.yaml', join(folder, 'gateway.yaml')]) {
        const { out } = await runHere(['check', '--format', 'sarif', '--audit', '--config', config], { cwd });
        expect(isSarif(JSON.parse(out)), JSON.stringify(isSarif.errors)).to.equal(true);
      }
    }
  });

  it('prints an empty report in each format if there are no problems', async () => {
    const cwd = write('server: { port: 1 }\n');
    expect((await runHere(['check', '--format', 'json'], { cwd })).out).to.equal('[]\n');
    expect((await runHere(['check', '--format', 'github'], { cwd })).out).to.equal('');
    expect(JSON.parse((await runHere(['check', '--format', 'sarif'], { cwd })).out).runs[0].results).to.deep.equal([]);
  });

  it('prints advice only with --audit, and exits with 0 on advice alone', async () => {
    const cwd = write(
      'admin: { token: 0123456789abcdef012345 }\nplugins: [{ use: auth, config: { failures: false } }]\n',
    );
    expect((await runHere(['check'], { cwd })).out).not.to.match(/advice/);
    const { code, out } = await runHere(['check', '--audit'], { cwd });
    expect(code).to.equal(0);
    expect(out.match(/advice \S+/g)).to.deep.equal([
      'advice no-limits',
      'advice secret-in-clear',
      'advice refused-setting',
    ]);
    expect(out).not.to.include('0123456789abcdef012345');
  });

  it('reports what only an extension can refuse, in its check or in the dry run, with its position', async () => {
    const text = 'plugins:\n  - use: rate-limit\n    config: { timeZone: Europe/Atlantis, lease: 2h }\n';
    const first = await runHere(['check', '--format', 'json'], { cwd: write(text) });
    expect(
      JSON.parse(first.out).map(({ line, column, rule }: Record<string, unknown>) => [line, column, rule]),
    ).to.deep.equal([
      [3, 25, 'refused-setting'],
      [3, 49, 'refused-setting'],
    ]);
    writeFileSync(
      join(folder, 'picky.mjs'),
      "export default { kind: 'plugin', apiVersion: 1, name: 'picky', schema: { type: 'object' }, " +
        "create: () => { throw new Error('not today'); } };\n",
    );
    const second = await runHere(['check'], { cwd: write('plugins:\n  - use: ./picky.mjs\n    config: {}\n') });
    expect(second.code).to.equal(1);
    expect(second.out).to.match(/^gateway\.yaml:3:5 error KOINE_EXTENSION_START_FAILED .*not today/);
  });

  it('the problems do not show the values of variables', async () => {
    const cwd = write(
      'server: { host: "${SECRET}", port: "${SECRET}" }\nstore: { database: "${SECRET}" }\n' +
        'plugins: [{ use: "${SECRET}" }]\n',
    );
    const { code, out, err } = await runHere(['check'], { cwd, env: { SECRET: 'very-secret' } });
    expect(code).to.equal(1);
    expect(out + err).not.to.match(/very-secret/);
  });

  for (const [what, args, message] of [
    ['a file that is not there', ['--config', 'none.yaml'], 'none.yaml cannot be read: there is no such file.'],
    ['an unknown option', ['--confg', 'gateway.yaml'], "Unknown option '--confg'"],
    ['a word too many', ['gateway.yaml'], 'Unexpected argument'],
    ['an unknown format', ['--format', 'xml'], '--format must be one of text, json, github, sarif, not "xml".'],
  ] as const)
    it(`koine check exits with 2 on ${what}`, async () => {
      const { code, err } = await runHere(['check', ...args], { cwd: folder });
      expect(code).to.equal(2);
      expect(err).to.include(message);
    });
});
