import { GatewayError } from '../../errors/gateway-error.ts';
import { checkJsonDensity } from '../../framing/json-density.ts';
import { parseJson } from '../../framing/json.ts';
import type { Deadlines } from './deadlines.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { BodySink, UpstreamBody } from './body.ts';

/**
 * The longest answer that is taken from a provider, unpacked. The longest of today's models stream some 45 MB: 128,000
 * tokens in an event each.
 */
export const MAX_RESPONSE_BYTES = 64 * 1_048_576;
/** Of an error, and of anything else that is read for its message alone. */
export const MAX_MESSAGE_BYTES = 1_048_576;

interface Collected {
  readonly body: UpstreamBody;
  readonly deadlines: Deadlines;
}

/** Collects a whole body. There is a promise only if the body has not arrived yet when it is asked for. */
class Collector implements BodySink {
  readonly #answer: Collected;
  readonly #most: number;
  readonly #stopwatch: Stopwatch | undefined;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #bytes: Buffer | undefined;
  #failure: { readonly error: unknown } | undefined;
  #pending: PromiseWithResolvers<Buffer> | undefined;

  constructor(answer: Collected, most: number, stopwatch: Stopwatch | undefined) {
    this.#answer = answer;
    this.#most = most;
    this.#stopwatch = stopwatch;
  }

  start(): Buffer | Promise<Buffer> {
    this.#stopwatch?.start();
    this.#answer.body.read(this);
    if (this.#bytes !== undefined) return this.#bytes;
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#pending = Promise.withResolvers();
    return this.#pending.promise;
  }

  data(chunk: Uint8Array): void {
    this.#answer.deadlines.received(chunk.byteLength);
    this.#length += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#length <= this.#most) return;
    this.#answer.body.stop();
    const most = `${this.#most / 1_048_576} MB`;
    this.fail(new GatewayError('upstream_bad_response', `The answer of the provider is longer than ${most}.`));
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
    this.#answer.deadlines.stop();
  }

  #reject(error: unknown): void {
    this.#failure = { error };
    this.#pending?.reject(error);
  }
}

/**
 * @param most bytes
 * @param stopwatch runs while the rest of the body is waited for
 * @returns no promise where the body has arrived already
 * @throws GatewayError `upstream_bad_response` when the body is longer, or JSON that would take far more memory than its
 * length; what ended the call
 */
export const collectBody = (
  answer: Collected,
  most = MAX_RESPONSE_BYTES,
  stopwatch?: Stopwatch,
): Buffer | Promise<Buffer> => new Collector(answer, most, stopwatch).start();

/**
 * @param parse answers that hold arguments of calls are read with all their digits
 * @param most bytes
 * @throws GatewayError `upstream_bad_response` when the body is no JSON
 */
export async function collectJson(
  answer: Collected,
  stopwatch: Stopwatch,
  parse: (text: string) => unknown = parseJson,
  most = MAX_RESPONSE_BYTES,
): Promise<unknown> {
  const body = collectBody(answer, most, stopwatch);
  const parsed = parse((body instanceof Promise ? await body : body).toString('utf8'));
  if (parsed === undefined) {
    throw new GatewayError('upstream_bad_response', 'The provider answered with something that is not JSON.');
  }
  return parsed;
}
