import { GatewayError } from '../../errors/gateway-error.ts';
import { checkJsonDensity } from '../../framing/json-density.ts';
import { parseJson } from '../../framing/json.ts';
import type { Deadlines } from './deadlines.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { BodySink, UpstreamBody } from './body.ts';

/**
 * The longest response that is accepted from a provider, decompressed. The longest of today's models are some 45 MB:
 * 128,000 tokens with an event each.
 */
export const MAX_RESPONSE_BYTES = 64 * 1_048_576;
/** The limit for error bodies, which are read only for their message. */
export const MAX_MESSAGE_BYTES = 1_048_576;

interface Collected {
  readonly body: UpstreamBody;
  readonly deadlines: Deadlines;
}

/** Collects a whole body. It creates a promise only if the body has not arrived completely at the start. */
class Collector implements BodySink {
  readonly #response: Collected;
  readonly #maxBytes: number;
  readonly #stopwatch: Stopwatch | undefined;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #bytes: Buffer | undefined;
  #failure: { readonly error: unknown } | undefined;
  #pending: PromiseWithResolvers<Buffer> | undefined;

  constructor(response: Collected, maxBytes: number, stopwatch: Stopwatch | undefined) {
    this.#response = response;
    this.#maxBytes = maxBytes;
    this.#stopwatch = stopwatch;
  }

  start(): Buffer | Promise<Buffer> {
    this.#stopwatch?.start();
    this.#response.body.read(this);
    if (this.#bytes !== undefined) return this.#bytes;
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#pending = Promise.withResolvers();
    return this.#pending.promise;
  }

  data(chunk: Uint8Array): void {
    this.#response.deadlines.received(chunk.byteLength);
    this.#length += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#length <= this.#maxBytes) return;
    this.#response.body.stop();
    const limit = `${this.#maxBytes / 1_048_576} MB`;
    this.fail(new GatewayError('upstream_bad_response', `The response of the provider is longer than ${limit}.`));
  }

  end(): void {
    this.#settle();
    const [only] = this.#chunks;
    const bytes =
      this.#chunks.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(this.#chunks, this.#length);
    try {
      checkJsonDensity(bytes);
    } catch (thrown) {
      return this.#reject(thrown);
    }
    this.#bytes = bytes;
    this.#pending?.resolve(bytes);
  }

  fail(error: unknown): void {
    this.#settle();
    this.#reject(error);
  }

  #settle(): void {
    this.#stopwatch?.stop();
    this.#response.deadlines.stop();
  }

  #reject(error: unknown): void {
    this.#failure = { error };
    this.#pending?.reject(error);
  }
}

/**
 * Reads a whole body.
 * @param stopwatch runs while this waits for the rest of the body
 * @returns a promise only if the body has not arrived completely
 * @throws GatewayError `upstream_bad_response` if the body is longer, or if it is JSON that needs far more memory than
 * its length; the reason that ended the call early
 */
export const collectBody = (
  response: Collected,
  maxBytes = MAX_RESPONSE_BYTES,
  stopwatch?: Stopwatch,
): Buffer | Promise<Buffer> => new Collector(response, maxBytes, stopwatch).start();

/**
 * Reads a whole body as JSON.
 * @param parse replaced for bodies with arguments of tool calls, which keep all digits of their numbers
 * @throws GatewayError `upstream_bad_response` if the body is not JSON
 */
export async function collectJson(
  response: Collected,
  stopwatch: Stopwatch,
  parse: (text: string) => unknown = parseJson,
  maxBytes = MAX_RESPONSE_BYTES,
): Promise<unknown> {
  const body = collectBody(response, maxBytes, stopwatch);
  const parsed = parse((body instanceof Promise ? await body : body).toString('utf8'));
  if (parsed === undefined) {
    throw new GatewayError('upstream_bad_response', 'The response of the provider is not JSON.');
  }
  return parsed;
}
