import type { Headers, Operation } from '../canonical/wire.ts';
import type { AttemptOf } from '../contracts/exchange.ts';
import type { UpstreamReply } from '../contracts/provider.ts';
import { parseJson } from '../framing/json.ts';
import { GatewayError } from '../errors.ts';
import type { Channel } from './channel.ts';
import type { Stopwatch } from './stopwatch.ts';

/** The longest plain answer that is taken in. */
const BODY_BYTES = 64 * 1_048_576;

/** @throws GatewayError `upstream_bad_response` when the body is longer than any answer may be */
export const collectBody = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > BODY_BYTES) throw new GatewayError('upstream_bad_response', 'The answer of the provider is longer than 64 MB.');
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? Buffer.from(only.buffer, only.byteOffset, only.byteLength) : Buffer.concat(chunks);
};

/**
 * @param parse answers that hold arguments of calls are read with all their digits
 * @throws GatewayError `upstream_bad_response` when the body is no JSON
 */
export const collectJson = async (body: AsyncIterable<Uint8Array>, stopwatch: Stopwatch, parse: (text: string) => unknown = parseJson): Promise<unknown> => {
  stopwatch.start();
  const bytes = await collectBody(body).finally(stopwatch.stop);
  const parsed = parse(bytes.toString('utf8'));
  if (parsed === undefined) throw new GatewayError('upstream_bad_response', 'The provider answered with something that is not JSON.');
  return parsed;
};

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

const readFailure = async <O extends Operation>(reply: UpstreamReply, channel: Channel<O>): Promise<GatewayError> => {
  const text = (await collectBody(reply.body)).toString('utf8');
  return channel.upstream.decodeError({ status: reply.status, headers: reply.headers, body: parseJson(text) ?? text });
};

/**
 * One upstream call: final bytes, then the address (URL, credentials, signing), then the transport.
 * @throws GatewayError for every status but 2xx, and for a redirect, which is never followed
 */
export const callUpstream = async <O extends Operation>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  call: { readonly body: Uint8Array; readonly headers: Headers; readonly stream: boolean },
  stopwatch: Stopwatch,
): Promise<UpstreamReply> => {
  const { target, credential, signal } = attempt;
  const request = await channel.speech.address({ ...call, model: target.model, headers: { ...call.headers, ...attempt.headers }, credential, signal });
  stopwatch.start();
  try {
    const reply = await channel.send(request, signal);
    attempt.answered?.(reply.status, reply.headers);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const failure = await readFailure(reply, channel);
    throw isRedirect(reply.status) ? new GatewayError('upstream_bad_response', `The provider answered with a redirect (${reply.status}), which is not followed.`) : failure;
  } finally {
    stopwatch.stop();
  }
};
