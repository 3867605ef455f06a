import { dirname, join } from 'node:path';
import { loadSchema } from '../../config/schema/load-schema.ts';
import { loadPresets } from '../../extensions/built-in.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { DEFAULT_CONFIG, describeOwnCommand, MisuseError, parseOptions, type Command } from '../command.ts';
import { SCHEMA_FILE } from '../schema.ts';
import { writeNewFile } from '../write-new-file.ts';
import { selectStarters, type Starter } from './starters.ts';
import { listModels, writeFirstConfig } from './write-first-config.ts';

/** How many models of a provider are named in the output. */
const SHOWN = 3;

const describeStarter = ({ name, variable, models }: Starter): string => {
  const ids = models.map((model) => `${name}/${model.name}`);
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  const key = variable === undefined ? 'needs no key' : `its key is in ${variable}`;
  return `  ${name} (${key}): ${ids.slice(0, SHOWN).join(', ')}${more}`;
};

/** What was written. @param file as it was given on the command line */
export const describeWritten = (file: string, starters: readonly Starter[]): string =>
  `Wrote ${file}, with these providers and models:
${starters.map(describeStarter).join('\n')}
Wrote ${join(dirname(file), SCHEMA_FILE)}, by which editors check and complete it.`;

const describeNext = (file: string, starters: readonly Starter[]): string => {
  const koine = describeOwnCommand();
  const option = file === DEFAULT_CONFIG ? '' : ` --config ${file}`;
  return `${describeWritten(file, starters)}

Next:
  ${koine} check${option}   lists its problems
  ${koine} serve${option}   serves it; the first start creates a key for clients and prints it once
  curl http://127.0.0.1:8787/v1/chat/completions -H 'authorization: Bearer <key>' -H 'content-type: application/json' \\
    -d '{"model":"${listModels(starters)[0]}","messages":[{"role":"user","content":"Hello"}]}'`;
};

/**
 * Writes a first configuration and its schema. An existing schema is kept: it may include extensions of the operator's
 * own.
 * @returns the providers of the configuration; undefined: the file exists, and was left as it is
 * @throws MisuseError where a file cannot be written
 */
export async function writeFirst(
  file: string,
  force: boolean,
  builtIns: BuiltIns,
): Promise<readonly Starter[] | undefined> {
  const starters = selectStarters(await loadPresets(builtIns), process.env);
  if (!(await writeNewFile(file, writeFirstConfig(starters, builtIns), force))) return undefined;
  const schema = await loadSchema(undefined, builtIns, process.env);
  await writeNewFile(join(dirname(file), SCHEMA_FILE), `${JSON.stringify(schema, undefined, 2)}\n`, force);
  return starters;
}

/** `koine init`. */
export const init: Command['run'] = async (args, builtIns) => {
  const { config, force } = parseOptions(args, {
    config: { type: 'string', default: DEFAULT_CONFIG },
    force: { type: 'boolean', default: false },
  });
  const starters = await writeFirst(config, force, builtIns);
  if (starters === undefined)
    throw new MisuseError(
      `${config} exists and is left as it is. --force overwrites it, --config FILE writes another.`,
    );
  console.log(describeNext(config, starters));
  return 0;
};
