import { dirname, join } from 'node:path';
import { loadSchema } from '../../config/schema/load-schema.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions, type Command } from '../command.ts';
import { listModels, selectStarters, writeFirstConfig, type Starter } from './write-first-config.ts';
import { SCHEMA_FILE } from '../schema.ts';
import { writeNewFile } from '../write-new-file.ts';

const describeStarter = ({ name, variable }: Starter): string =>
  variable === undefined ? `${name}, since no key of a provider is set` : `${name} (${variable})`;

/** By `npm_lifecycle_event`: how this command was started. The commands of the output are written the same way. */
const commands: ReadonlyMap<string | undefined, string> = new Map([
  ['koine', 'npm run koine --'],
  ['npx', 'npx koine-gateway'],
]);

/** @param file as it was given on the command line */
const describeNext = (file: string, starters: readonly Starter[]): string => {
  const koine = commands.get(process.env['npm_lifecycle_event']) ?? 'koine';
  const option = file === DEFAULT_CONFIG ? '' : ` --config ${file}`;
  return `Wrote ${file} for ${starters.map(describeStarter).join(', ')}.

Next:
  ${koine} check${option}   lists its problems
  ${koine} serve${option}   serves it; the first start creates a key for clients and prints it once
  curl http://127.0.0.1:8787/v1/chat/completions -H 'authorization: Bearer <key>' -H 'content-type: application/json' \\
    -d '{"model":"${listModels(starters)[0]}","messages":[{"role":"user","content":"Hello"}]}'`;
};

const writeFirst = async (file: string, force: boolean, builtIns: BuiltIns): Promise<number> => {
  const starters = selectStarters(builtIns, process.env);
  if (!(await writeNewFile(file, writeFirstConfig(starters, builtIns), force)))
    throw new MisuseError(`${file} exists and is left as it is. --force overwrites it, --config FILE writes another.`);
  const schema = await loadSchema(undefined, builtIns, process.env);
  await writeNewFile(join(dirname(file), SCHEMA_FILE), `${JSON.stringify(schema, undefined, 2)}\n`, force);
  console.log(describeNext(file, starters));
  return 0;
};

/** `koine init`. An existing schema file is kept: it may include extensions of the operator's own. */
export const init: Command['run'] = (args, builtIns) => {
  const { config, force } = parseOptions(args, {
    config: { type: 'string', default: DEFAULT_CONFIG },
    force: { type: 'boolean', default: false },
  });
  return writeFirst(config, force, builtIns);
};
