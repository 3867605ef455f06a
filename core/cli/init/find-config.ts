import { existsSync } from 'node:fs';
import type { BuiltIns } from '../../extensions/extension.ts';
import { DEFAULT_CONFIG, MisuseError } from '../command.ts';

/**
 * The configuration that `koine serve` serves. Only where none is named, a missing one is written: a mistake in
 * `--config` must not start a gateway with other settings.
 * @param named the file of `--config`
 * @throws MisuseError where it does not exist, or cannot be written
 */
export async function findConfig(named: string | undefined, builtIns: BuiltIns): Promise<string> {
  const file = named ?? DEFAULT_CONFIG;
  if (existsSync(file)) return file;
  if (named !== undefined)
    throw new MisuseError(
      `${named} does not exist. To write a first configuration there: koine init --config ${named}`,
    );
  const { describeWritten, writeFirst } = await import('./init.ts');
  const starters = await writeFirst(file, builtIns).catch((error: unknown) => {
    if (!(error instanceof MisuseError)) throw error;
    throw new MisuseError(
      `There is no ${file} in ${process.cwd()}, and a first one cannot be written: ${error.message}\n` +
        'Start koine in a folder that it can write, or name a configuration with --config FILE.',
    );
  });
  if (starters !== undefined) console.error(describeWritten(file, starters));
  return file;
}
