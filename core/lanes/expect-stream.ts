import type { Operation } from '../canonical/wire.ts';
import { GatewayError } from '../errors.ts';
import { isObject } from '../canonical/members.ts';
import { parseJson } from '../framing/json.ts';
import type { Channel } from './channel.ts';
import { collectBody, MESSAGE_BYTES, type UpstreamAnswer } from './upstream-call.ts';

/**
 * A 200 to a streaming request must be a stream: some vendors put an error, and proxies a page, in its place.
 * @throws GatewayError the vendor's own error if the body holds one, else `upstream_bad_response`
 */
export const expectStream = async <O extends Operation>(answer: UpstreamAnswer, channel: Channel<O>): Promise<void> => {
  const { headers, status } = answer;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && channel.framing.contentType.startsWith(type)) return;
  const text = (await collectBody(answer, MESSAGE_BYTES)).toString('utf8');
  const parsed = parseJson(text);
  if (isObject(parsed) && parsed['error'] !== undefined) throw channel.upstream.decodeError({ status, headers, body: parsed });
  throw new GatewayError('upstream_bad_response', `The provider answered a streaming request with ${type === '' ? 'no content type' : `content type ${type}`}.`);
};
