import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openForeign } from '../../../core/cli/import/foreign-file.ts';
import { importConfig } from '../../../core/cli/import/index.ts';
import { arrangeNotes, formatNote, writeResult } from '../../../core/cli/import/result.ts';
import { loadConfig } from '../../../core/config/load.ts';
import litellm from '../../../importers/litellm/index.ts';
import { builtIns } from './all-built-ins.ts';
import { runHere } from './run-here.ts';
import { runKoine } from './run-koine.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/litellm/', import.meta.url));
const names = globSync('*.yaml', { cwd: fixtures })
  .map((file) => basename(file, '.yaml'))
  .filter((name) => !name.endsWith('.gateway'))
  .toSorted();
const read = (name: string): string => readFileSync(join(fixtures, name), 'utf8');

const translate = async (name: string) => {
  const { source, data } = await openForeign(join(fixtures, `${name}.yaml`));
  const named = { ...source, file: 'config.yaml' };
  const translation = litellm.translate(data, {
    starters: (provider) => builtIns.provider[provider]?.init?.models ?? [],
  });
  const notes = arrangeNotes(named, translation.notes).map((note) => formatNote(named, note));
  return {
    translation,
    text: writeResult(named, litellm.title, translation),
    notes: notes.map((note) => `${note}\n`).join(''),
  };
};

describe('the LiteLLM importer', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('finds enough fixtures to import', () => expect(names).to.have.length.greaterThan(14));

  for (const name of names) {
    it(`translates ${name}.yaml to the expected file and notes`, async () => {
      const { text, notes } = await translate(name);
      if (process.env['KOINE_WRITE_IMPORTS'] !== undefined) {
        writeFileSync(join(fixtures, `${name}.gateway.yaml`), text);
        writeFileSync(join(fixtures, `${name}.notes.txt`), notes);
      }
      expect(text).to.equal(read(`${name}.gateway.yaml`));
      expect(notes).to.equal(read(`${name}.notes.txt`));
    });

    it(`translates ${name}.yaml to a configuration that loads`, async () => {
      const { text, translation } = await translate(name);
      const file = join(folder, `${name}.yaml`);
      writeFileSync(file, text);
      const { config } = await loadConfig(file, builtIns, translation.variables);
      expect(Object.keys(config.models)).to.deep.equal(
        Object.keys((translation.settings['models'] as object | undefined) ?? {}),
      );
    });
  }

  it('an imported configuration contains no secret', async () => {
    const { text, notes } = await translate('secrets-in-clear');
    expect(read('secrets-in-clear.yaml').match(/clear-[\w-]*\d{4}/g)).to.have.length(12);
    expect(text + notes).not.to.match(/clear-[\w-]*\d{4}/);
  });

  it('the notes have one entry for every setting that is not imported', async () => {
    const { notes } = await translate('enterprise');
    for (const line of read('enterprise.yaml').matchAll(/^ {2}(\w+):/gm))
      if (!['docs', 'json_logs', 'cache', 'master_key'].includes(line[1]!)) expect(notes).to.include(`.${line[1]}`);
  });
});

describe('koine import', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const from = (name: string): string => join(fixtures, `${name}.yaml`);

  it('prints the imported configuration to stdout and the notes to stderr', async () => {
    const { code, out, err } = await runKoine(['import', 'litellm', from('quick-start')], { cwd: folder });
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^# yaml-language-server: \$schema=/)
      .and.include('anthropic/claude:');
    expect(err)
      .to.include('quick-start.yaml:17 general_settings.master_key: ')
      .and.match(/Before it can be served, set LITELLM_MASTER_KEY\.\n$/);
  });

  it('writes a file that passes koine check, and the schema beside it', async () => {
    const { code, out, err } = await runHere(['import', 'litellm', from('production'), '--out', 'gateway.yaml'], {
      cwd: folder,
      env: { REDIS_HOST: 'redis' },
    });
    expect({ code, out }).to.deep.equal({ code: 0, out: '' });
    expect(err).to.include('Wrote gateway.yaml. ').and.include('set LITELLM_MASTER_KEY.');
    expect(existsSync(join(folder, 'gateway.schema.json'))).to.equal(true);
    const checked = await runHere(['check'], { cwd: folder, env: { LITELLM_MASTER_KEY: 'sk-1', REDIS_HOST: 'redis' } });
    expect(checked.out).to.match(/gateway\.yaml is valid: 5 providers, 4 models, 5 aliases, 1 key,/);
    expect((await runHere(['check'], { cwd: folder })).out).to.include('unset-variable');
  });

  it('koine import overwrites a file only with --force', async () => {
    writeFileSync(join(folder, 'gateway.yaml'), 'mine\n');
    const { code, err } = await runHere(['import', 'litellm', from('empty'), '--out', 'gateway.yaml'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.include('gateway.yaml exists and is left as it is.');
    expect(
      (await runHere(['import', 'litellm', from('empty'), '--out', 'gateway.yaml', '--force'], { cwd: folder })).code,
    ).to.equal(0);
  });

  it('koine import reports the position of invalid YAML without quoting the file', async () => {
    writeFileSync(join(folder, 'config.yaml'), 'model_list:\n  - api_key: sk-secret: [\n');
    const { code, err } = await runHere(['import', 'litellm', 'config.yaml'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err)
      .to.match(/^config\.yaml:\d+:\d+ /)
      .and.not.include('sk-secret');
  });

  for (const [what, args, message] of [
    ['without the name of a gateway', [], 'The kind of the configuration is missing: litellm.'],
    ['from an unknown gateway', ['bifrost', 'x.json'], 'There is no import of "bifrost": litellm.'],
    ['without a file', ['litellm'], 'The file is missing: koine import litellm FILE'],
    ['a file that does not exist', ['litellm', 'none.yaml'], 'none.yaml cannot be read: there is no such file.'],
    ['with an unknown option', ['litellm', 'x.yaml', '--to', 'y'], "Unknown option '--to'"],
  ] as const)
    it(`refuses to import ${what}`, async () => {
      const refusal = await importConfig(args, {
        ...builtIns,
        importers: { litellm: () => Promise.resolve(litellm) },
      }).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(Error).with.property('message').that.includes(message);
    });

  it('refuses a list as a configuration', async () => {
    writeFileSync(join(folder, 'list.yaml'), '- a\n');
    const { code, err } = await runHere(['import', 'litellm', 'list.yaml'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.include('list.yaml has no settings.');
  });
});
