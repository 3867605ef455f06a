import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { loadSchema } from '../config/schema/load-schema.ts';
import { DEFAULT_CONFIG, parseOptions, type Command } from './command.ts';
import { schemaOptions } from './options/configuration.ts';

/** The name of the schema file beside a configuration. */
export const SCHEMA_FILE = 'gateway.schema.json';

export const schema: Command['run'] = async (args, builtIns) => {
  const { config, write } = parseOptions(args, schemaOptions);
  const file = config ?? DEFAULT_CONFIG;
  const extended = config !== undefined || existsSync(file) ? file : undefined;
  const text = `${JSON.stringify(await loadSchema(extended, builtIns, process.env), undefined, 2)}\n`;
  if (!write) process.stdout.write(text);
  else {
    const target = join(dirname(resolve(file)), SCHEMA_FILE);
    await writeFile(target, text);
    console.log(`Wrote ${target}.`);
  }
  return 0;
};
