import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadSchema } from '../../config/schema/load-schema.ts';
import { loadPresets } from '../../extensions/built-in.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { DEFAULT_CONFIG, describeOwnCommand, MisuseError, parseOptions, type Command } from '../command.ts';
import { initOptions } from '../options/configuration.ts';
import { SCHEMA_FILE } from '../schema.ts';
import { writeNewFile } from '../write-new-file.ts';
import type { Choices } from './ask.ts';
import { isTerminal } from './questions.ts';
import { isSet, listOffers, selectStarters, type Starter } from './starters.ts';
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

/** The variables that must be set before a start. */
const listVariables = ({ starters, redis, postgres }: Choices): readonly string[] => {
  const keys = starters.flatMap(({ variable }) => variable ?? []);
  const stores = [redis === 'none' ? [] : (redis ?? []), postgres ?? []].flat();
  return [...keys, ...stores].filter((variable) => !isSet(process.env, variable));
};

const describeNext = (file: string, choices: Choices): string => {
  const { starters, projects } = choices;
  const unset = listVariables(choices);
  const koine = describeOwnCommand();
  const option = file === DEFAULT_CONFIG ? '' : ` --config ${file}`;
  return `${describeWritten(file, starters)}

Next:${unset.length === 0 ? '' : `\n  set ${unset.join(', ')}`}
  ${koine} check${option}   lists its problems
  ${koine} serve${option}   serves it; the first start creates a key for clients and prints it once${
    projects === undefined
      ? ''
      : `\n  ${koine} keys create${option} --project ${projects.at(-1)} --name PERSON   creates a key for one person`
  }
  curl http://127.0.0.1:8787/v1/chat/completions -H 'authorization: Bearer <key>' -H 'content-type: application/json' \\
    -d '{"model":"${listModels(starters)[0]}","messages":[{"role":"user","content":"Hello"}]}'`;
};

/** @returns whether it was written; an existing schema is kept: it may include extensions of the operator's own */
const write = async (file: string, choices: Choices, force: boolean, builtIns: BuiltIns): Promise<boolean> => {
  if (!(await writeNewFile(file, writeFirstConfig(choices, builtIns), force))) return false;
  const schema = await loadSchema(undefined, builtIns, process.env);
  await writeNewFile(join(dirname(file), SCHEMA_FILE), `${JSON.stringify(schema, undefined, 2)}\n`, force);
  return true;
};

/**
 * Writes a first configuration and its schema, with the vendors whose keys are in the environment.
 * @returns the providers of the configuration; undefined: the file exists, and was left as it is
 * @throws MisuseError where a file cannot be written
 */
export async function writeFirst(file: string, builtIns: BuiltIns): Promise<readonly Starter[] | undefined> {
  const starters = selectStarters(await loadPresets(builtIns), process.env);
  return (await write(file, { starters }, false, builtIns)) ? starters : undefined;
}

const choose = async (builtIns: BuiltIns, isAsked: boolean): Promise<Choices> => {
  const presets = await loadPresets(builtIns);
  if (!isAsked) return { starters: selectStarters(presets, process.env) };
  const [{ askChoices }, { withQuestions }] = await Promise.all([import('./ask.ts'), import('./questions.ts')]);
  return withQuestions((questions) => askChoices(questions, listOffers(presets), process.env));
};

/** `koine init`. It asks what to write, if there is a terminal. */
export const init: Command['run'] = async (args, builtIns) => {
  const { config, force, yes } = parseOptions(args, initOptions);
  const refuse = (): never => {
    throw new MisuseError(
      `${config} exists and is left as it is. --force overwrites it, --config FILE writes another.`,
    );
  };
  if (!force && existsSync(config)) refuse();
  const choices = await choose(builtIns, !yes && isTerminal());
  if (!(await write(config, choices, force, builtIns))) refuse();
  console.log(describeNext(config, choices));
  return 0;
};
