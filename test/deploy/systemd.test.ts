import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDuration } from '../../core/config/units/duration.ts';
import { root } from '../../tools/release/lockfile.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { requireProgram } from './programs.ts';

const unit = readFileSync(join(root, 'deploy/systemd/koine.service'), 'utf8');
/** The highest exposure to accept, times ten. systemd rates a service without settings 9.6, and this one 1.1. */
const MOST_EXPOSURE = 15;

describe('deploy/systemd/koine.service', () => {
  const folder = createTemporaryFolder();
  after(() => folder.remove());

  /** systemd-analyze checks that the program exists, so it gets the Node of this test. */
  const analyze = (text: string, ...words: readonly string[]) => {
    const file = join(folder.path, 'koine.service');
    writeFileSync(file, text.replace('/usr/bin/node', process.execPath));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...words, file], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  before(function () {
    requireProgram(this, 'systemd-analyze', 'apt-get install systemd');
  });

  it('the unit is valid for systemd, with its commented settings as well', () => {
    expect(analyze(unit, 'verify')).to.deep.equal({ status: 0, output: '' });
    expect(analyze(unit.replace('# LoadCredential=', 'LoadCredential='), 'verify')).to.deep.equal({
      status: 0,
      output: '',
    });
    expect(analyze(unit.replace('LimitNOFILE', 'LimitFiles'), 'verify').output).to.contain("Unknown key 'LimitFiles'");
  });

  it('the unit is rated as well protected by systemd', () => {
    const { status, output } = analyze(unit, 'security', '--offline=true', `--threshold=${MOST_EXPOSURE}`);
    expect(status, output).to.equal(0);
    process.stdout.write(`      ${/Overall exposure level.*?: ([\d.]+)/.exec(output)?.[0]}\n`);
    const open = unit.replaceAll(/^(?:Protect|Restrict|Private|SystemCall|Capability|NoNew).*\n/gm, '');
    expect(analyze(open, 'security', '--offline=true', `--threshold=${MOST_EXPOSURE}`).status).to.equal(1);
  });

  it('the unit stops the gateway only after its drain', () => {
    const settings = readFileSync(join(root, 'gateway.yaml'), 'utf8');
    const [, delay = '', timeout = ''] = /drain: \{ delay: (\w+), timeout: (\w+) \}/.exec(settings) ?? [];
    const seconds = (parseDuration(delay) + parseDuration(timeout)) / 1_000 + 10;
    expect(unit).to.contain(`\nTimeoutStopSec=${seconds}\n`);
  });
});
