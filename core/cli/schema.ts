import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { loadSchema } from '../config/schema/load-schema.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { DEFAULT_CONFIG, parseOptions, type Command } from './command.ts';
import { schemaOptions } from './options/configuration.ts';

/** The name of the schema file beside a configuration. */
export const SCHEMA_FILE = 'gateway.schema.json';

const printSchema = async (config: string | undefined, isWritten: boolean, builtIns: BuiltIns): Promise<number> => {
  const file = config ?? DEFAULT_CONFIG;
  const schema = await loadSchema(config !== undefined || existsSync(file) ? file : undefined, builtIns, process.env);
  const text = `${JSON.stringify(schema, undefined, 2)}\n`;
  if (!isWritten) process.stdout.write(text);
  else {
    const target = join(dirname(resolve(file)), SCHEMA_FILE);
    await writeFile(target, text);
    console.log(`Wrote ${target}.`);
  }
  return 0;
};

export const schema: Command['run'] = (args, builtIns) => {
  const { config, write } = parseOptions(args, schemaOptions);
  return printSchema(config, write, builtIns);
};
