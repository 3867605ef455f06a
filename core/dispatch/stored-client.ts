import type { WireName } from '../canonical/wire.ts';
import type { RunningProvider } from '../catalog/catalog.ts';
import type { CallTimeouts } from '../config/gateway-config.ts';
import type { StoredCall } from '../contracts/extension.ts';
import { GatewayError, toGatewayError } from '../errors/gateway-error.ts';
import { parseJson } from '../framing/json.ts';
import type { ChannelParts } from '../lanes/channel.ts';
import { pushedBody, type UpstreamBody } from '../lanes/upstream/body.ts';
import { collectBody, MAX_MESSAGE_BYTES } from '../lanes/upstream/collect.ts';
import { Deadlines } from '../lanes/upstream/deadlines.ts';
import type { StateLocation } from '../services/vendor-state/records.ts';

export interface StoredClientParts extends Pick<ChannelParts, 'codec' | 'transport' | 'timeouts'> {
  readonly providers: ReadonlyMap<string, RunningProvider>;
}

/** A response with the status 2xx. The reader of the body stops the deadlines. */
export interface StoredReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: UpstreamBody;
  readonly deadlines: Deadlines;
}

const unsupported = (provider: string): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    `This response is stored at ${provider}, and the gateway cannot reach stored responses there. ` +
      'Keep the response that you received.',
  );

/** Calls vendors about responses that they store. */
export class StoredClient {
  readonly #parts: StoredClientParts;

  constructor(parts: StoredClientParts) {
    this.#parts = parts;
  }

  /**
   * Sends one call with the credential that created the response.
   * @throws GatewayError for every status but 2xx, with the vendor's message; `unsupported_parameter` if the provider
   * has no such calls
   */
  async send(
    { provider, credential: id }: StateLocation,
    wire: WireName,
    call: Pick<StoredCall, 'method' | 'path' | 'query'>,
    signal: AbortSignal,
  ): Promise<StoredReply> {
    const credential = this.#parts.providers.get(provider)?.instance.credentials.find((known) => known.id === id);
    await credential?.ready?.();
    const used = credential?.version;
    const send = (): Promise<StoredReply> => this.#sendOnce(provider, wire, { ...call, credential: id }, signal);
    try {
      return await send();
    } catch (thrown) {
      if (toGatewayError(thrown).failure !== 'credential' || credential?.renew === undefined) throw thrown;
      await credential.renew();
      if (credential.version === used) throw thrown;
      return await send();
    }
  }

  async #sendOnce(
    provider: string,
    wire: WireName,
    call: Omit<StoredCall, 'signal'>,
    signal: AbortSignal,
  ): Promise<StoredReply> {
    const calls = this.#parts.providers.get(provider)?.instance.stored?.find((known) => known.wire === wire);
    const transport = this.#parts.transport(provider);
    const timeouts: CallTimeouts | undefined = this.#parts.timeouts(provider);
    if (calls === undefined || transport === undefined || timeouts === undefined) throw unsupported(provider);
    const deadlines = new Deadlines(timeouts, signal);
    try {
      const request = await calls.buildRequest({ ...call, signal: deadlines.signal });
      const { status, headers, body: received } = await transport(request, deadlines);
      deadlines.answered();
      const body = pushedBody(received);
      if (status >= 200 && status < 300)
        return { status, contentType: headers['content-type'] ?? 'application/json', body, deadlines };
      const text = (await collectBody({ body, deadlines }, MAX_MESSAGE_BYTES)).toString('utf8');
      const decode = this.#parts.codec('generate', wire)?.upstream?.decodeError;
      throw (
        decode?.({ status, headers, body: parseJson(text) ?? text }) ??
        new GatewayError('upstream_bad_response', `The provider responded with ${status}.`)
      );
    } catch (thrown) {
      deadlines.stop();
      throw thrown;
    }
  }
}
