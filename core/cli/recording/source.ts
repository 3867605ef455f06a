import { operations } from '../../canonical/operation/operations.ts';
import type { Headers, Operation, WireName } from '../../canonical/wire.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import { startExtension } from '../../extensions/start.ts';
import { createLog } from '../../services/log/log.ts';
import { systemClock } from '../../services/clock.ts';
import { createTestServices } from '../../testing/services.ts';
import { MisuseError } from '../command.ts';

/** One request, as the codec of its wire writes it. */
export interface RecordedCall {
  readonly operation: Operation;
  readonly wire: WireName;
  readonly model: string;
  readonly body: Uint8Array;
  /** Sent instead of the body. */
  readonly form?: FormData;
  /** Headers of the wire; without credentials. */
  readonly headers: Headers;
  readonly stream: boolean;
}

export interface SourceWire {
  readonly operation: Operation;
  readonly wire: WireName;
  /** Name of the framing of its streams; default `sse`. */
  readonly framing?: string;
}

/**
 * The server of a provider, which is recorded; its wires are those of the endpoint that the model has.
 * @throws MisuseError for a provider that is not configured, or has no usable credential
 */
export async function openSource({ config, extensions, registry }: LoadedConfig, provider: string, model: string) {
  const extension = extensions.providers[provider];
  if (extension === undefined) throw new MisuseError(`No provider of the configuration is called "${provider}".`);
  const services = createTestServices({ log: createLog('warn'), clock: systemClock, codec: registry.codec });
  const instance = await startExtension(extension, () =>
    extension.definition.create(config.providers[provider]?.config, services),
  );
  const { wires } = instance.endpoint(model);
  const close = async (): Promise<void> => instance.close?.();
  const credential = instance.credentials.find(({ unavailable }) => unavailable === undefined);
  if (credential === undefined) {
    await close();
    const [reason = 'it has no credentials'] = instance.credentials.map(({ unavailable }) => unavailable);
    throw new MisuseError(
      `The provider "${provider}" cannot be called: ${reason}. ` +
        "Set its key, or a 'baseUrl' of a local server with any key.",
    );
  }
  return {
    wires: wires.filter(({ operation }) => operations[operation].substitute === undefined),
    address: async ({ operation, wire, ...call }: RecordedCall): Promise<UpstreamRequest> => {
      const endpointWire = wires.find((each) => each.operation === operation && each.wire === wire);
      if (endpointWire === undefined) throw new MisuseError(`${provider} does not speak ${wire}.`);
      await credential.ready?.();
      return endpointWire.buildRequest({ ...call, credential: credential.id, signal: new AbortController().signal });
    },
    close,
  };
}
