import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { builtIns } from '../../core/built-ins.ts';
import { openForeign } from '../../core/cli/import/foreign-file.ts';
import { createImportHelp } from '../../core/cli/import/help.ts';
import { fillVariables } from '../../core/cli/import/index.ts';
import { verifyNames, type VerifiedName } from '../../core/cli/import/names/verify-names.ts';
import { arrangeNotes, formatNote, writeResult } from '../../core/cli/import/result.ts';
import { loadConfig, type LoadedConfig } from '../../core/config/load.ts';
import { loadPresets } from '../../core/extensions/built-in.ts';
import type { Importer, Translation } from '../../core/api/internal.ts';

const { provider: providers } = await loadPresets(builtIns);

export const help = createImportHelp(providers);

/** Translates a file, with a result that loads only if `koine check` would find no error. */
export async function translateFile(importer: Importer, file: string, folder: string): Promise<Translation> {
  const { source, data } = await openForeign(file);
  const translation = importer.translate(data, help);
  const result = join(folder, 'gateway.yaml');
  const text = writeResult(source, importer.title, translation);
  writeFileSync(result, text);
  await loadConfig(result, builtIns, translation.variables);
  return translation;
}

/** Without the ledger, which has no part in where a name leads, and would start a thread. */
const omitLedger = (loaded: LoadedConfig): LoadedConfig => {
  const keep = <T>(items: readonly T[]): readonly T[] =>
    items.filter((_item, index) => loaded.extensions.plugins[index]?.definition.name !== 'ledger');
  return {
    ...loaded,
    config: { ...loaded.config, plugins: keep(loaded.config.plugins) },
    extensions: { ...loaded.extensions, plugins: keep(loaded.extensions.plugins) },
  };
};

/** The names in a translated file that lead to more than in the source. */
export async function findWider(file: string, translation: Translation): Promise<readonly VerifiedName[]> {
  const loaded = await loadConfig(file, builtIns, fillVariables(readFileSync(file, 'utf8'), translation));
  return (await verifyNames(omitLedger(loaded), translation)).filter(({ status }) => status === 'wider');
}

export interface Fixtures {
  readonly names: readonly string[];
  read(name: string): string;
  translate(
    name: string,
  ): Promise<{ readonly translation: Translation; readonly text: string; readonly notes: string }>;
}

/** The files of a folder of `test/fixtures`, without the expected results. */
function openFixtures(importer: Importer, folder: string, extension: string): Fixtures {
  const path = fileURLToPath(new URL(`../fixtures/${folder}/`, import.meta.url));
  const names = globSync(`*${extension}`, { cwd: path })
    .map((file) => basename(file, extname(file)))
    .filter((name) => !name.endsWith('.gateway'))
    .toSorted();
  return {
    names,
    read: (name) => readFileSync(join(path, name), 'utf8'),
    translate: async (name) => {
      const { source, data } = await openForeign(join(path, `${name}${extension}`));
      const named = { ...source, file: `config${extension}` };
      const translation = importer.translate(data, help);
      const notes = arrangeNotes(named, translation.notes).map((note) => formatNote(named, note));
      return {
        translation,
        text: writeResult(named, importer.title, translation),
        notes: notes.map((note) => `${note}\n`).join(''),
      };
    },
  };
}

/**
 * Tests that each fixture has the expected result and notes, and that the result loads. `KOINE_WRITE_IMPORTS=1` writes
 * the expected files.
 */
export function checkFixtures(importer: Importer, folder: string, extension: '.yaml' | '.json'): Fixtures {
  const fixtures = openFixtures(importer, folder, extension);
  const { names, read, translate } = fixtures;
  let temporary = '';
  before(() => {
    temporary = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  after(() => rmSync(temporary, { recursive: true }));

  for (const name of names) {
    it(`translates ${name}${extension} to the expected file and notes`, async () => {
      const { text, notes } = await translate(name);
      const expected = fileURLToPath(new URL(`../fixtures/${folder}/${name}`, import.meta.url));
      if (process.env['KOINE_WRITE_IMPORTS'] !== undefined) {
        writeFileSync(`${expected}.gateway.yaml`, text);
        writeFileSync(`${expected}.notes.txt`, notes);
      }
      expect(text).to.equal(read(`${name}.gateway.yaml`));
      expect(notes).to.equal(read(`${name}.notes.txt`));
    });

    it(`what clients name in ${name}${extension} reaches nothing else in the result`, async () => {
      const { text, translation } = await translate(name);
      if (translation.notes.some(({ isError }) => isError)) return;
      const file = join(temporary, 'verified.yaml');
      writeFileSync(file, text);
      expect(await findWider(file, translation)).to.deep.equal([]);
    });

    it(`translates ${name}${extension} to a configuration that loads`, async () => {
      const { text, translation } = await translate(name);
      const file = join(temporary, `${name}.yaml`);
      writeFileSync(file, text);
      const { config } = await loadConfig(file, builtIns, translation.variables);
      expect(Object.keys(config.models)).to.deep.equal(
        Object.keys((translation.settings['models'] as object | undefined) ?? {}),
      );
    });
  }
  return fixtures;
}
