import { createRedactor } from '../config/write/redactor.ts';
import { printEffective, printWritten, type PrintFormat } from '../config/write/print-config.ts';
import { prepareConfig } from '../config/load.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { MisuseError, parseOptions } from './command.ts';
import { printOptions } from './options/configuration.ts';

const isFormat = (format: string): format is PrintFormat => format === 'yaml' || format === 'json';

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

/**
 * `koine config print`: the files, merged. `--effective`: every value with its defaults, and where it comes from.
 * Secrets are masked.
 */
export async function config([verb, ...args]: readonly string[], builtIns: BuiltIns): Promise<number> {
  if (verb !== 'print')
    throw new MisuseError(
      verb === undefined
        ? 'A verb is missing: koine config print.'
        : `There is no "koine config ${verb}", only "koine config print".`,
    );
  const { config: file, effective, format } = parseOptions(args, printOptions);
  if (!isFormat(format)) throw new MisuseError(`--format must be yaml or json, not "${format}".`);
  return print(file, effective, format, builtIns);
}
