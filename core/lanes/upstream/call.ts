import type { Headers, Operation } from '../../canonical/wire.ts';
import type { Attempt, AttemptOf, CallRecord } from '../../contracts/exchange.ts';
import { parseJson } from '../../framing/json.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Channel } from '../channel.ts';
import { collectBody, MAX_MESSAGE_BYTES } from './collect.ts';
import { Deadlines } from './deadlines.ts';
import type { Stopwatch } from './stopwatch.ts';
import { pushedBody, type UpstreamBody } from './body.ts';

/** An answer whose body is still to be read, by a deadline; whoever has read it, or does not want it, stops the deadlines. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: UpstreamBody;
  /** Its place in the attempt's calls. */
  readonly call: CallRecord;
  readonly deadlines: Deadlines;
}

/** What is sent, but for the address. */
export interface CallContent {
  readonly body: Uint8Array;
  readonly headers: Headers;
  readonly stream: boolean;
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** A status tells its class also where its body cannot be read. */
const readText = async (answer: UpstreamResponse, signal: AbortSignal): Promise<string> => {
  try {
    return (await collectBody(answer, MAX_MESSAGE_BYTES)).toString('utf8');
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return '';
  }
};

/** Why a status that is no success is none. */
const readFailure = async <O extends Operation>(
  answer: UpstreamResponse,
  channel: Channel<O>,
  { signal, target, exchange }: AttemptOf<O>,
): Promise<GatewayError> => {
  const { status, headers } = answer;
  const text = await readText(answer, signal);
  if (isRedirect(status))
    return new GatewayError(
      'upstream_bad_response',
      `The provider answered with a redirect (${status}), which is not followed.`,
    );
  const refused = { model: target.model, body: exchange.inbound.raw };
  return channel.upstream.decodeError({ status, headers, body: parseJson(text) ?? text, refused });
};

/**
 * One upstream call: final bytes, then the address (URL, credentials, signing), then the transport, all of it within the deadlines of the channel.
 * @throws GatewayError for every status but 2xx, and for a redirect, which is never followed
 */
export async function callUpstream<O extends Operation>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  content: CallContent,
  stopwatch: Stopwatch,
): Promise<UpstreamResponse> {
  const { readOn } = channel;
  const { target, credential, headers } = attempt;
  const deadlines = new Deadlines(
    channel.timeouts,
    attempt.signal,
    readOn && { readOn, caller: attempt.exchange.caller },
  );
  try {
    const addressed = channel.speech.address({
      ...content,
      headers: { ...content.headers, ...headers },
      model: target.model,
      credential,
      // Few providers ask for it: no AbortSignal is made for the others.
      get signal() {
        return deadlines.signal;
      },
    });
    const request = addressed instanceof Promise ? await addressed : addressed;
    stopwatch.start();
    const call: CallRecord = { status: 0 };
    attempt.calls.push(call);
    deadlines.isSent = true;
    try {
      const response = await channel.send(request, deadlines);
      const { status } = response;
      const answer = { status, headers: response.headers, body: pushedBody(response.body), deadlines, call };
      deadlines.answered();
      call.status = status;
      // The operation of an attempt and its request belong together; the union cannot say so here.
      channel.onResponseHeaders?.(attempt as Attempt, status, response.headers);
      if (status >= 200 && status < 300) return answer;
      throw await readFailure(answer, channel, attempt);
    } finally {
      stopwatch.stop();
    }
  } catch (thrown) {
    deadlines.stop();
    throw thrown;
  }
}
