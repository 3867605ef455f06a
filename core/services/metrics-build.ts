import manifest from '../../package.json' with { type: 'json' };
import type { Metrics } from '../contracts/services.ts';

/** What runs here: the same on every host of a good deployment. `commit` is what the image was built from, by KOINE_COMMIT. */
export const recordBuild = (metrics: Metrics, configHash: string): void => {
  const commit = process.env['KOINE_COMMIT'] ?? 'unknown';
  metrics.gauge('koine_build_info', 'The gateway that runs: always 1.', ['version', 'commit', 'node'], 'first').bind([manifest.version, commit, process.versions.node])(1);
  metrics.gauge('koine_config_info', 'The configuration file that is in force, by a digest of what is written in it: always 1.', ['hash'], 'first').bind([configHash])(1);
};
