import type { Metrics, Clock } from '../../contracts/services.ts';

/** `unchanged`: the configuration that was read is the active one. `failed`: the active configuration stays. */
export type ReloadResult = 'reloaded' | 'unchanged' | 'failed';

/**
 * The gauges start as after a successful load: the process could not have started otherwise.
 * @returns counts a result
 */
export function createReloadMeters(metrics: Metrics, clock: Pick<Clock, 'now'>): (result: ReloadResult) => void {
  const setSuccessful = metrics
    .gauge(
      'koine_config_last_reload_successful',
      'Whether the configuration that was read last is active: 1, or 0 where an earlier one still is.',
      [],
      'first',
    )
    .bind([]);
  const setSuccessTime = metrics
    .gauge(
      'koine_config_last_reload_success_timestamp_seconds',
      'When the configuration was last read and found active or made active.',
      [],
      'first',
    )
    .bind([]);
  const reloads = metrics.counter('koine_config_reloads_total', 'Reloads of the configuration, by result.', ['result']);
  const setGauges = (result: ReloadResult): void => {
    setSuccessful(result === 'failed' ? 0 : 1);
    if (result !== 'failed') setSuccessTime(clock.now() / 1_000);
  };
  setGauges('reloaded');
  return (result) => {
    setGauges(result);
    reloads.bind([result])(1);
  };
}
