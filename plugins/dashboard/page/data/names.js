import { requestJson } from './api.js';

/**
 * Names for suggestions: the models of the configuration with their aliases, and up to 1,000 keys; and the port of
 * clients.
 * @param {AbortSignal} signal
 */
export const readNames = async (signal) => {
  const [live, list] = await Promise.all([
    requestJson('/admin/config', signal),
    requestJson('/admin/keys?sort=name&limit=1000', signal).catch(() => ({ keys: [] })),
  ]);
  const { config } =
    /** @type {{ config: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> }} */ (live);
  const { keys } = /** @type {{ keys: readonly { organization: string, project: string, name: string }[] }} */ (list);
  return {
    port: Number(config['server']?.['port'] ?? 8787),
    models: [...Object.keys(config['models'] ?? {}), ...Object.keys(config['aliases'] ?? {})].sort(),
    keys: [...new Set(keys.map(({ organization, project, name }) => `${organization}/${project}/${name}`))].sort(),
  };
};
