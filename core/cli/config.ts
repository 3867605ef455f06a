import { createRedactor } from '../config/write/redactor.ts';
import { printEffective, printWritten, type PrintFormat } from '../config/write/print-config.ts';
import { prepareConfig } from '../config/load.ts';
import { ConfigError, formatProblem, type Problem } from '../config/problem.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions } from './command.ts';

const isFormat = (format: string): format is PrintFormat => format === 'yaml' || format === 'json';

const tell = (problems: readonly Problem[]): number => {
  for (const problem of problems) console.error(`${formatProblem(problem)}\n`);
  return 1;
};

const print = async (file: string, effective: boolean, format: PrintFormat, builtIns: BuiltIns): Promise<number> => {
  const { draft, opened, schemaOf, finish } = await prepareConfig(file, builtIns, process.env);
  const redact = createRedactor({ data: opened.data, substitutionsOf: opened.substitutionsOf, schemaOf });
  if (!effective) process.stdout.write(printWritten(opened, redact, format));
  else {
    finish();
    process.stdout.write(printEffective(draft ?? {}, opened, redact, format));
  }
  return 0;
};

/** `koine config print`: what the files say, put together; `--effective`: what is in force, and where each value comes from. No secret is shown. */
export async function config([verb, ...args]: readonly string[], builtIns: BuiltIns): Promise<number> {
  if (verb !== 'print')
    throw new MisuseError(
      verb === undefined
        ? 'Say what: koine config print.'
        : `There is no "koine config ${verb}", only "koine config print".`,
    );
  const {
    config: file,
    effective,
    format,
  } = parseOptions(args, {
    config: { type: 'string', default: DEFAULT_CONFIG },
    effective: { type: 'boolean', default: false },
    format: { type: 'string', default: 'yaml' },
  });
  if (!isFormat(format)) throw new MisuseError(`--format must be yaml or json, not "${format}".`);
  try {
    return await print(file, effective, format, builtIns);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return tell(thrown.problems);
    throw thrown;
  }
}
