import { dirname, join } from 'node:path';
import { formatProblem } from '../../config/problem.ts';
import { loadSchema } from '../../config/schema/load-schema.ts';
import type { ImportHelp } from '../../extensions/importer.ts';
import { loadPresets } from '../../extensions/built-in.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { MisuseError, parseOptions } from '../command.ts';
import { SCHEMA_FILE } from '../schema.ts';
import { writeNewFile } from '../write-new-file.ts';
import { openForeign } from './foreign-file.ts';
import { arrangeNotes, formatNote, writeResult } from './result.ts';
import { verifyConfig } from './verify.ts';

interface ImportOptions {
  readonly kind: string;
  readonly file: string;
  /** The file to write; absent: standard output. */
  readonly out: string | undefined;
  readonly force: boolean;
}

const readImportOptions = ([kind, file, ...options]: readonly string[], known: readonly string[]): ImportOptions => {
  const kinds = known.join(', ');
  if (kind === undefined || !known.includes(kind))
    throw new MisuseError(
      kind === undefined
        ? `The kind of the configuration is missing: ${kinds}.`
        : `There is no import of "${kind}": ${kinds}.`,
    );
  if (file === undefined || file.startsWith('-'))
    throw new MisuseError(`The file is missing: koine import ${kind} FILE [--out FILE].`);
  const { out, force } = parseOptions(options, { out: { type: 'string' }, force: { type: 'boolean', default: false } });
  return { kind, file, out, force };
};

const save = async (text: string, { out, force }: ImportOptions, builtIns: BuiltIns): Promise<void> => {
  if (out === undefined) {
    process.stdout.write(text);
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

/**
 * `koine import`: translates the configuration of another gateway. What could not be imported is listed on standard
 * error and in comments of the result. Exit code 1 where the result does not pass `koine check`: a defect of the
 * import.
 */
export async function importConfig(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { importers = {} } = builtIns;
  const options = readImportOptions(args, Object.keys(importers));
  const importer = await importers[options.kind]?.();
  if (importer === undefined) throw new MisuseError(`There is no import of "${options.kind}".`);
  const { source, data } = await openForeign(options.file);
  const { provider: providers } = await loadPresets(builtIns);
  const help: ImportHelp = { starters: (provider) => providers[provider]?.init?.models ?? [] };
  const translation = importer.translate(data, help);
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
  return problems.length === 0 ? 0 : 1;
}
