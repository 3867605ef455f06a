import { createRedactor } from '../config/write/redactor.ts';
import { printEffective, printWritten, type PrintFormat } from '../config/write/print-config.ts';
import { prepareConfig } from '../config/load.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { checkVerb, MisuseError, parseOptions } from './command.ts';
import { printOptions } from './options/configuration.ts';

const isFormat = (format: string): format is PrintFormat => format === 'yaml' || format === 'json';

/**
 * `koine config print`: the files, merged. `--effective`: every value with its defaults, and where it comes from.
 * Secrets are masked.
 */
export async function config([verb, ...args]: readonly string[], builtIns: BuiltIns): Promise<number> {
  checkVerb('config', 'print', verb);
  const { config: file, effective, format } = parseOptions(args, printOptions);
  if (!isFormat(format)) throw new MisuseError(`--format must be yaml or json, not "${format}".`);
  const { draft, opened, schemaOf, finish } = await prepareConfig(file, builtIns, process.env);
  const redact = createRedactor({ data: opened.data, substitutionsOf: opened.substitutionsOf, schemaOf });
  if (!effective) process.stdout.write(printWritten(opened, redact, format));
  else {
    finish();
    process.stdout.write(printEffective(draft ?? {}, opened, redact, format));
  }
  return 0;
}
