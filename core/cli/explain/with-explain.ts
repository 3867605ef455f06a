import type { LoadedConfig } from '../../config/load.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import type { Explain } from '../../http/admin/explain.ts';
import { createExplain } from '../../server/explain/explain.ts';
import type { Explanation } from '../../server/explain/explanation.ts';
import { refuseFetch } from '../../server/explain/refuse-fetch.ts';
import type { LinkPrimary } from '../../server/link/link.ts';
import { openProcessContext } from '../../server/process-context.ts';
import { openRuntime } from '../../server/runtime.ts';
import { startServing, type Serving } from '../../server/serving/serving.ts';
import { systemClock } from '../../services/clock.ts';
import { createLog } from '../../services/log/log.ts';

/**
 * Refuses every request: the primary instances run in the gateway's process, and a new one here would have counted
 * nothing.
 */
export const createRefusingLink =
  (refused: Set<string>): LinkPrimary =>
  (plugin) => ({
    call: () => {
      refused.add(plugin);
      return Promise.reject(
        new GatewayError(
          'service_unavailable',
          `The state of ${plugin} is in the process of the gateway and is not available here.`,
        ),
      );
    },
  });

let silentLog: ReturnType<typeof createLog> | undefined;

/** Opens a configuration for explanations in this process, which send nothing, and closes it afterwards. */
export async function withExplain<T>(
  loaded: LoadedConfig,
  link: LinkPrimary,
  use: (explain: Explain<Explanation>, serving: Serving) => Promise<T>,
): Promise<T> {
  const opened: Closable[] = [];
  silentLog ??= createLog('silent');
  try {
    const runtime = await openRuntime(
      await openProcessContext(loaded, { log: silentLog, clock: systemClock }, opened),
      loaded,
    );
    opened.push({ name: 'instances that explain', close: () => closeAll(runtime.opened) });
    const serving = await startServing(runtime, link, { fetch: refuseFetch });
    return await use(
      createExplain(runtime, async () => serving),
      serving,
    );
  } finally {
    await closeAll(opened);
  }
}
