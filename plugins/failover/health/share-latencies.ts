import type { Clock, PrimaryLink } from '../../../core/api/index.ts';
import type { PrimaryMessage } from '../admin/messages.ts';
import type { HealthRegistry } from './health-registry.ts';
import type { Latency } from './latency.ts';

/** The main thread can be busy with the start of other workers. */
const TIMEOUT_MS = 60_000;

/**
 * Lets the workers of a host learn together how long each target takes: also one that replaces another. The main thread
 * has the memory of each target; a worker asks for it at the first request that considers the target.
 */
export function shareLatencies(
  registry: Pick<HealthRegistry, 'onCreateLatency'>,
  primary: PrimaryLink,
  clock: Clock,
): void {
  const offset = clock.now() - clock.monotonic();
  const share = async (key: string, latency: Latency): Promise<void> => {
    const message: PrimaryMessage = { call: 'latency', key };
    try {
      latency.share((await primary.call(message, TIMEOUT_MS)) as SharedArrayBuffer, offset);
    } catch {
      // Then this worker learns alone.
    }
  };
  registry.onCreateLatency((key, latency) => void share(key, latency));
}
