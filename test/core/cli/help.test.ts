import { expect } from 'chai';
import { runHere } from './run-here.ts';
import { createCommands } from '../../../core/cli/commands.ts';
import { listPluginCommands } from '../../../core/cli/plugin-command.ts';
import { loadPresets } from '../../../core/extensions/built-in.ts';
import { builtIns } from './all-built-ins.ts';

const commands = [
  ...createCommands(builtIns),
  ...listPluginCommands(Object.values((await loadPresets(builtIns)).plugin), builtIns),
];

describe('koine COMMAND --help', () => {
  for (const { name, forms } of commands)
    it(`koine ${name} --help describes every option`, async () => {
      const { code, out } = await runHere([name, '--help']);
      expect(code).to.equal(0);
      for (const { verb, options } of forms) {
        if (verb !== undefined) expect(out).to.include(`Usage: koine ${name} ${verb}`);
        for (const [option, { description }] of Object.entries(options)) {
          expect(out).to.match(new RegExp(`^  --${option}( |$)`, 'm'));
          expect(out.replaceAll(/\s+/g, ' ')).to.include(description);
        }
      }
    });

  it('a verb selects its form', async () => {
    const { out } = await runHere(['keys', 'create', '--help']);
    expect(out).to.match(/^Usage: koine keys create --name NAME \[options\]\n/);
    expect(out).to.include('--limit UNIT=AMOUNT/WINDOW').and.not.include('koine keys list');
  });

  it('koine import --help names the gateways', async () => {
    const { out } = await runHere(['import', '--help']);
    expect(out).to.match(/^Usage: koine import bifrost\|litellm\|portkey FILE/);
  });

  it('lines fit a terminal of 100 columns, but for long values', async () => {
    for (const { name } of commands)
      for (const line of (await runHere([name, '--help'])).out.split('\n'))
        if (!/^(Usage:| {2}--)/.test(line)) expect(line.length, line).to.be.at.most(100);
  });

  it('the verb of another command is found', async () => {
    for (const [verb, command] of [
      ['backup', 'store backup'],
      ['create', 'keys create'],
    ] as const)
      expect((await runHere([verb])).err).to.include(`Did you mean "${command}"?`);
  });
});
