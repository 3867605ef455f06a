import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../config/read/interpolate.ts';
import { loadConfig, type LoadedConfig } from '../../config/load.ts';
import { ConfigError, type Problem } from '../../config/problem.ts';
import type { BuiltIns } from '../../extensions/extension.ts';

/**
 * The errors that `koine check` would report for the text, in this environment.
 * @param use what to do with a result without errors, before its folder is removed
 */
export async function verifyConfig(
  text: string,
  builtIns: BuiltIns,
  env: Environment,
  use?: (loaded: LoadedConfig) => Promise<void>,
): Promise<readonly Problem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'koine-import-'));
  try {
    const file = join(folder, 'gateway.yaml');
    await writeFile(file, text);
    const loaded = await loadConfig(file, builtIns, env);
    await use?.(loaded);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return thrown.problems
      .map((problem) => ({ ...problem, file: 'the result' }))
      .filter(({ severity }) => severity === 'error');
  } finally {
    await rm(folder, { recursive: true });
  }
}
