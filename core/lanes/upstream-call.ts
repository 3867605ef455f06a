import type { Headers, Operation } from '../canonical/wire.ts';
import type { Attempt, AttemptOf, CallRecord } from '../contracts/exchange.ts';
import type { UpstreamReply } from '../contracts/provider.ts';
import { checkJsonDensity } from '../framing/json-density.ts';
import { parseJson } from '../framing/json.ts';
import { GatewayError } from '../errors.ts';
import type { Channel } from './channel.ts';
import { createDeadlines, type Deadlines } from './deadlines.ts';
import type { Stopwatch } from './stopwatch.ts';

/** The longest answer that is taken from a provider, unpacked. The longest of today's models stream some 45 MB: 128,000 tokens in an event each. */
export const ANSWER_BYTES = 64 * 1_048_576;
/** Of an error, and of anything else that is read for its message alone. */
export const MESSAGE_BYTES = 1_048_576;

/** An answer whose body is still to be read, by a deadline; whoever has read it, or does not want it, stops the deadlines. */
export interface UpstreamAnswer extends UpstreamReply {
  /** Its place in the attempt's calls. */
  readonly call: CallRecord;
  readonly deadlines: Deadlines;
}

/**
 * @param most bytes
 * @throws GatewayError `upstream_bad_response` when the body is longer, or JSON that would take far more memory than its length
 */
export const collectBody = async ({ body, deadlines }: UpstreamAnswer, most = ANSWER_BYTES): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      deadlines.heard(chunk.byteLength);
      length += chunk.byteLength;
      if (length > most) throw new GatewayError('upstream_bad_response', `The answer of the provider is longer than ${most / 1_048_576} MB.`);
      chunks.push(chunk);
    }
  } finally {
    deadlines.stop();
  }
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? Buffer.from(only.buffer, only.byteOffset, only.byteLength) : Buffer.concat(chunks);
  checkJsonDensity(bytes);
  return bytes;
};

/**
 * @param parse answers that hold arguments of calls are read with all their digits
 * @param most bytes
 * @throws GatewayError `upstream_bad_response` when the body is no JSON
 */
export const collectJson = async (
  answer: UpstreamAnswer,
  stopwatch: Stopwatch,
  parse: (text: string) => unknown = parseJson,
  most = ANSWER_BYTES,
): Promise<unknown> => {
  stopwatch.start();
  const bytes = await collectBody(answer, most).finally(stopwatch.stop);
  const parsed = parse(bytes.toString('utf8'));
  if (parsed === undefined) throw new GatewayError('upstream_bad_response', 'The provider answered with something that is not JSON.');
  return parsed;
};

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** A status tells its class also where its body cannot be read. */
const readText = async (answer: UpstreamAnswer, signal: AbortSignal): Promise<string> => {
  try {
    return (await collectBody(answer, MESSAGE_BYTES)).toString('utf8');
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return '';
  }
};

/** Why a status that is no success is none. */
const readFailure = async <O extends Operation>(
  answer: UpstreamAnswer,
  channel: Channel<O>,
  { signal, target, exchange }: AttemptOf<O>,
): Promise<GatewayError> => {
  const { status, headers } = answer;
  const text = await readText(answer, signal);
  if (isRedirect(status)) return new GatewayError('upstream_bad_response', `The provider answered with a redirect (${status}), which is not followed.`);
  const refused = { model: target.model, body: exchange.inbound.raw };
  return channel.upstream.decodeError({ status, headers, body: parseJson(text) ?? text, refused });
};

/**
 * One upstream call: final bytes, then the address (URL, credentials, signing), then the transport, all of it within the deadlines of the channel.
 * @throws GatewayError for every status but 2xx, and for a redirect, which is never followed
 */
export const callUpstream = async <O extends Operation>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  content: { readonly body: Uint8Array; readonly headers: Headers; readonly stream: boolean },
  stopwatch: Stopwatch,
): Promise<UpstreamAnswer> => {
  const { target, credential } = attempt;
  const { readOn } = channel;
  const deadlines = createDeadlines(channel.timeouts, attempt.signal, readOn && { readOn, caller: attempt.exchange.caller });
  const { signal } = deadlines;
  try {
    const request = await channel.speech.address({ ...content, model: target.model, headers: { ...content.headers, ...attempt.headers }, credential, signal });
    stopwatch.start();
    const call: CallRecord = { status: 0 };
    attempt.calls.push(call);
    deadlines.sent();
    try {
      const answer = { ...(await channel.send(request, signal)), deadlines, call };
      deadlines.answered();
      call.status = answer.status;
      // The operation of an attempt and its request belong together; the union cannot say so here.
      channel.onResponseHeaders?.(attempt as Attempt, answer.status, answer.headers);
      if (answer.status >= 200 && answer.status < 300) return answer;
      throw await readFailure(answer, channel, attempt);
    } finally {
      stopwatch.stop();
    }
  } catch (thrown) {
    deadlines.stop();
    throw thrown;
  }
};
