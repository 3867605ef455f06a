import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadConfig, type LoadedConfig } from '../../config/load.ts';
import { ConfigError, formatProblem, type Problem } from '../../config/problem.ts';
import { loadSchema } from '../../config/schema/load-schema.ts';
import { loadPresets } from '../../extensions/built-in.ts';
import type { Environment } from '../../config/read/interpolate.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import type { Translation } from '../../extensions/importer.ts';
import { MisuseError, parseOptions } from '../command.ts';
import { importOptions } from '../options/configuration.ts';
import { SCHEMA_FILE } from '../schema.ts';
import { writeNewFile } from '../write-new-file.ts';
import { openForeign } from './foreign-file.ts';
import { createImportHelp } from './help.ts';
import type { VerifiedName } from './names/verify-names.ts';
import { arrangeNotes, formatNote, writeResult } from './result.ts';

const readImportOptions = ([kind, file, ...options]: readonly string[], known: readonly string[]) => {
  const kinds = known.join(', ');
  if (kind === undefined || !known.includes(kind))
    throw new MisuseError(
      kind === undefined
        ? `The kind of the configuration is missing: ${kinds}.`
        : `There is no import of "${kind}": ${kinds}.`,
    );
  if (file === undefined || file.startsWith('-'))
    throw new MisuseError(`The file is missing: koine import ${kind} FILE [--out FILE].`);
  return { kind, file, ...parseOptions(options, importOptions) };
};
type ImportOptions = ReturnType<typeof readImportOptions>;

const save = async (text: string, { out, force, verify }: ImportOptions, builtIns: BuiltIns): Promise<void> => {
  if (out === undefined) {
    if (!verify) process.stdout.write(text);
    return;
  }
  if (!(await writeNewFile(out, text, force)))
    throw new MisuseError(`${out} exists and is left as it is. --force overwrites it.`);
  await writeNewFile(
    join(dirname(out), SCHEMA_FILE),
    `${JSON.stringify(await loadSchema(undefined, builtIns, process.env), undefined, 2)}\n`,
    false,
  );
};

const describeEnd = (notes: number, missing: readonly string[], { out }: ImportOptions): string => {
  const imported =
    notes === 0
      ? 'Everything was imported.'
      : `${notes} ${notes === 1 ? 'note' : 'notes'} on what could not be imported unchanged; ` +
        'the result has them as comments.';
  const set = missing.length === 0 ? '' : ` Before it can be served, set ${missing.join(', ')}.`;
  return `${out === undefined ? '' : `Wrote ${out}. `}${imported}${set}`;
};

/** Optional variables have values too, so that no target is unavailable. */
export const fillVariables = (text: string, { variables }: Translation): Environment => ({
  ...Object.fromEntries([...text.matchAll(/\$\{(\w+):-\}/g)].map(([, name = '']) => [name, 'stand-in-for-a-key'])),
  ...variables,
});

/**
 * The errors that `koine check` would report for the text, in this environment.
 * @param use what to do with a result without errors, before its folder is removed
 */
async function verifyConfig(
  text: string,
  builtIns: BuiltIns,
  env: Environment,
  use?: (loaded: LoadedConfig) => Promise<void>,
): Promise<readonly Problem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'koine-import-'));
  try {
    const file = join(folder, 'gateway.yaml');
    await writeFile(file, text);
    const loaded = await loadConfig(file, builtIns, env);
    await use?.(loaded);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return thrown.problems
      .map((problem) => ({ ...problem, file: 'the result' }))
      .filter(({ severity }) => severity === 'error');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @returns whether every name is served as in the source */
const printNames = async (text: string, translation: Translation, builtIns: BuiltIns): Promise<boolean> => {
  const { verifyNames } = await import('./names/verify-names.ts');
  const { countNames, isWorse, writeNames } = await import('./names/format-names.ts');
  let verified: readonly VerifiedName[] = [];
  const problems = await verifyConfig(text, builtIns, fillVariables(text, translation), async (loaded) => {
    verified = await verifyNames(loaded, translation);
  });
  for (const problem of problems) console.error(formatProblem(problem));
  if (problems.length > 0) return false;
  process.stdout.write(writeNames(verified));
  console.error(countNames(verified));
  return !verified.some(isWorse);
};

/**
 * `koine import`: translates the configuration of another gateway. What could not be imported is listed on standard
 * error and in comments of the result. Exit code 1 where a setting that restricts access cannot be imported, where
 * the result does not pass `koine check` (a defect of the import), or where `--verify` finds a name that is missing or
 * reaches more.
 */
export async function importConfig(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { importers = {} } = builtIns;
  const options = readImportOptions(args, Object.keys(importers));
  const importer = await importers[options.kind]?.();
  if (importer === undefined) throw new MisuseError(`There is no import of "${options.kind}".`);
  const { source, data } = await openForeign(options.file);
  const { provider: providers } = await loadPresets(builtIns);
  const translation = importer.translate(data, createImportHelp(providers));
  const text = writeResult(source, importer.title, translation);
  await save(text, options, builtIns);

  for (const note of arrangeNotes(source, translation.notes)) console.error(formatNote(source, note));
  const problems = await verifyConfig(text, builtIns, { ...translation.variables, ...process.env });
  for (const problem of problems) console.error(formatProblem(problem));
  console.error(
    describeEnd(
      translation.notes.length,
      Object.keys(translation.variables).filter((name) => process.env[name] === undefined),
      options,
    ),
  );
  const isWider = translation.notes.some(({ isError }) => isError);
  if (problems.length > 0 || !options.verify) return problems.length === 0 && !isWider ? 0 : 1;
  const isKept = await printNames(text, translation, builtIns);
  return isKept && !isWider ? 0 : 1;
}
