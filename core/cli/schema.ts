import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { loadSchema } from '../config/schema/load-schema.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { DEFAULT_CONFIG, parseOptions, type Command } from './command.ts';

/** Stands beside the configuration. */
export const SCHEMA_FILE = 'gateway.schema.json';

const printSchema = async (config: string | undefined, isWritten: boolean, builtIns: BuiltIns): Promise<number> => {
  const file = config ?? DEFAULT_CONFIG;
  try {
    const schema = await loadSchema(config !== undefined || existsSync(file) ? file : undefined, builtIns, process.env);
    const text = `${JSON.stringify(schema, undefined, 2)}\n`;
    if (!isWritten) process.stdout.write(text);
    else {
      const target = join(dirname(resolve(file)), SCHEMA_FILE);
      await writeFile(target, text);
      console.log(`Wrote ${target}.`);
    }
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    for (const problem of thrown.problems) console.error(`${formatProblem(problem)}\n`);
    return 1;
  }
};

export const schema: Command['run'] = (args, builtIns) => {
  const { config, write } = parseOptions(args, {
    config: { type: 'string' },
    write: { type: 'boolean', default: false },
  });
  return printSchema(config, write, builtIns);
};
