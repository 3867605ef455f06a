import type { Usage } from '../../canonical/usage.ts';
import type { Headers, Operation } from '../../canonical/wire.ts';
import type { CallRecord } from '../../contracts/attempt-record.ts';
import type { Attempt, AttemptOf } from '../../contracts/attempt.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import { isObject } from '../../canonical/json/members.ts';
import { parseJson } from '../../framing/json.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Channel } from '../channel.ts';
import { collectBody, MAX_MESSAGE_BYTES } from './collect.ts';
import { Deadlines } from './deadlines.ts';
import type { Stopwatch } from './stopwatch.ts';
import { pushedBody, type UpstreamBody } from './body.ts';

/** A response with status and headers, whose body is still to be read. The reader of the body stops the deadlines. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: UpstreamBody;
  /** The record of this call in the attempt. */
  readonly call: CallRecord;
  readonly deadlines: Deadlines;
}

/** The content of a request, without its URL and credentials. */
export interface CallContent {
  readonly body: Uint8Array;
  readonly headers: Headers;
  readonly stream: boolean;
  /** What the call counts as until it reports its usage. Absent: what the whole request is estimated at. */
  readonly usage?: Usage;
}

/** What is kept as the vendor's id of a call. */
const REQUEST_ID = /^[\w.:=/+-]{1,128}$/;

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** An error body that cannot be read counts as empty: the status alone classifies the failure. */
const readText = async (response: UpstreamResponse, signal: AbortSignal): Promise<string> => {
  try {
    return (await collectBody(response, MAX_MESSAGE_BYTES)).toString('utf8');
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return '';
  }
};

/** The error for a status other than 2xx. */
const readFailure = async <O extends Operation>(
  response: UpstreamResponse,
  channel: Channel<O>,
  { signal, target, exchange }: AttemptOf<O>,
): Promise<GatewayError> => {
  const { status, headers } = response;
  const text = await readText(response, signal);
  if (isRedirect(status))
    return new GatewayError(
      'upstream_bad_response',
      `The provider responded with a redirect (${status}), which is not followed.`,
    );
  const refused = { model: target.model, body: exchange.inbound.raw };
  return channel.upstream.decodeError({ status, headers, body: parseJson(text) ?? text, refused });
};

/** The request; if the client has sent a form and the target takes forms, as a form with the texts of the body. */
const withForm = <O extends Operation>(
  { exchange: { inbound } }: AttemptOf<O>,
  { upstream }: Channel<O>,
  request: UpstreamRequest,
  { body }: CallContent,
): UpstreamRequest => {
  if (inbound.upload === undefined || upstream.takesForms !== true) return request;
  const members = parseJson(Buffer.from(body).toString('utf8'));
  const upload = inbound.upload.write(isObject(members) ? members : {});
  const headers = { ...request.headers, 'content-type': upload.contentType, 'content-length': String(upload.length) };
  return { ...request, headers, upload };
};

const createRecord = ({ usage }: CallContent): CallRecord =>
  usage === undefined ? { status: 0, headersMs: 0 } : { status: 0, headersMs: 0, usage };

/**
 * One upstream call, within the deadlines of the channel: the provider adds URL, credentials and signature to the final
 * bytes, then the transport sends them.
 * @throws GatewayError for every status but 2xx; a redirect is never followed
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
    const { body, stream } = content;
    const addressed = channel.endpointWire.buildRequest({
      body,
      stream,
      headers: { ...content.headers, ...headers },
      model: target.model,
      credential,
      // Few providers read it. A getter would cost more than the signal.
      signal: deadlines.signal,
    });
    const request = withForm(attempt, channel, addressed instanceof Promise ? await addressed : addressed, content);
    stopwatch.start();
    const call = createRecord(content);
    attempt.calls.push(call);
    deadlines.isSent = true;
    try {
      const response = await channel.send(request, deadlines);
      const { status } = response;
      const opened = { status, headers: response.headers, body: pushedBody(response.body), deadlines, call };
      deadlines.answered();
      call.status = status;
      const requestId = response.headers[channel.endpointWire.requestIdHeader ?? 'x-request-id'];
      if (requestId !== undefined && REQUEST_ID.test(requestId)) call.requestId = requestId;
      // Operation and request of an attempt match; the compiler cannot see it through the type parameter.
      channel.onResponseHeaders?.(attempt as Attempt, status, response.headers);
      if (status >= 200 && status < 300) return opened;
      throw await readFailure(opened, channel, attempt);
    } finally {
      stopwatch.stop();
      if (call.status !== 0) call.headersMs = stopwatch.elapsedMs;
    }
  } catch (thrown) {
    deadlines.stop();
    throw thrown;
  }
}
