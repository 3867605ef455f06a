import type { Clock, Metrics } from '../../contracts/services.ts';

/** `unchanged`: what was read is what is in force. `failed`: what was in force stays. */
export type ReloadResult = 'reloaded' | 'unchanged' | 'failed';

export interface ReloadMeters {
  note(result: ReloadResult): void;
}

/** A start is a load that has succeeded. */
export function createReloadMeters(metrics: Metrics, clock: Pick<Clock, 'now'>): ReloadMeters {
  const isGood = metrics
    .gauge(
      'koine_config_last_reload_successful',
      'Whether the configuration that was read last is in force: 1, or 0 where one before it is.',
      [],
      'first',
    )
    .bind([]);
  const goodAt = metrics
    .gauge(
      'koine_config_last_reload_success_timestamp_seconds',
      'When what was read last came into force, or was found to be.',
      [],
      'first',
    )
    .bind([]);
  const reloads = metrics.counter('koine_config_reloads_total', 'Reloads of the configuration by what came of them.', [
    'result',
  ]);
  const note = (result: ReloadResult): void => {
    isGood(result === 'failed' ? 0 : 1);
    if (result !== 'failed') goodAt(clock.now() / 1_000);
  };
  note('reloaded');
  return {
    note: (result) => {
      note(result);
      reloads.bind([result])(1);
    },
  };
}
