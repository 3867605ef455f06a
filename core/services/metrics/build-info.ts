import type { Metrics } from '../../contracts/services.ts';
import { build } from '../build.ts';
import type { OwnMetrics } from './metrics.ts';

export function recordBuild(metrics: Metrics): void {
  metrics
    .gauge('koine_build_info', 'The gateway that runs: always 1.', ['version', 'commit', 'node'], 'first')
    .bind([build.version, build.commit, build.node])(1);
}

const CONFIG_INFO = 'koine_config_info';

/** The active configuration. */
export function recordConfig(metrics: OwnMetrics, configHash: string): void {
  metrics.drop(({ hash }, metric) => metric === CONFIG_INFO && hash !== configHash);
  metrics
    .gauge(CONFIG_INFO, 'The active configuration, by a digest of its settings: always 1.', ['hash'], 'first')
    .bind([configHash])(1);
}
