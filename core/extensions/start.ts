import type { PluginInstance } from '../contracts/plugin.ts';
import type { ProviderInstance } from '../contracts/provider.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { describeThrow } from './failures/describe-throw.ts';
import type { Extension, ExtensionKind } from './extension.ts';
import { withTimeout } from './with-timeout.ts';

export { closeAll, type Closable, type CloseFailure } from './close.ts';

/** What `create` returns, by kind. */
export interface Instances {
  plugin: PluginInstance;
  provider: ProviderInstance;
}

const START_TIMEOUT = 10_000;

const closeLate = async (pending: Promise<PluginInstance | ProviderInstance>): Promise<void> => {
  try {
    await (await pending).close?.();
  } catch {
    // The timeout has already been reported.
  }
};

/**
 * Starts one extension. An instance that is created after the timeout is closed.
 * @throws GatewayError `KOINE_EXTENSION_TIMEOUT`, `KOINE_EXTENSION_START_FAILED` with the cause
 */
export async function startExtension<K extends ExtensionKind>(
  { kind, use, source, code }: Extension<K>,
  create: () => Instances[K] | Promise<Instances[K]>,
  timeoutMs = START_TIMEOUT,
): Promise<Instances[K]> {
  // A built-in has no code, and its position would not help.
  const describe = (thrown: unknown): string =>
    code === undefined && thrown instanceof Error ? thrown.message : describeThrow(thrown, code);
  const label = `The ${kind} ${JSON.stringify(use)}${source === 'built-in' ? '' : ` (${source})`}`;
  const started = new Promise<Instances[K]>((resolve) => resolve(create()));
  const timeout = new GatewayError(
    'KOINE_EXTENSION_TIMEOUT',
    `${label} did not start within ${timeoutMs} ms. Its create() probably waits for something that does not respond.`,
  );
  try {
    return await withTimeout(started, timeoutMs, () => timeout);
  } catch (thrown) {
    if (thrown !== timeout)
      throw new GatewayError('KOINE_EXTENSION_START_FAILED', `${label} failed to start: ${describe(thrown)}`, {
        cause: thrown,
      });
    void closeLate(started);
    throw thrown;
  }
}
