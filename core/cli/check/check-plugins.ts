import { describePath } from '../../config/describe-path.ts';
import { folderOf, type LoadedConfig } from '../../config/load.ts';
import { redactKnown } from '../../canonical/text/known-secrets.ts';
import { systemClock } from '../../services/clock.ts';
import { fetchService } from '../../services/network/fetch.ts';

const silent = (): void => {};

/** Tries the services of plugins. @returns a line for each that cannot be used */
export async function checkPlugins(loaded: LoadedConfig): Promise<readonly string[]> {
  const log = { info: silent, warn: silent, error: silent };
  const services = { clock: systemClock, fetch: fetchService, folder: folderOf(loaded), log };
  const lines = loaded.extensions.plugins.map(async ({ definition }, index) => {
    const findings = (await definition.checkLive?.(loaded.config.plugins[index]?.config, services)) ?? [];
    return findings.map(
      ({ path, message }) => `${describePath(['plugins', index, 'config', ...path])} cannot be used: ${message}`,
    );
  });
  return (await Promise.all(lines)).flat().map(redactKnown);
}
