import type { Operation } from '../../canonical/wire.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { isObject } from '../../canonical/json/members.ts';
import { parseJson } from '../../framing/json.ts';
import type { Channel } from '../channel.ts';
import { collectBody, MAX_MESSAGE_BYTES } from './collect.ts';
import type { UpstreamResponse } from './call.ts';

const refuse = async <O extends Operation>(
  response: UpstreamResponse,
  channel: Channel<O>,
  type: string,
): Promise<void> => {
  const { headers, status } = response;
  const parsed = parseJson((await collectBody(response, MAX_MESSAGE_BYTES)).toString('utf8'));
  if (isObject(parsed) && parsed['error'] !== undefined) {
    throw channel.upstream.decodeError({ status, headers, body: parsed });
  }
  const given = type === '' ? 'no content type' : `content type ${type}`;
  throw new GatewayError('upstream_bad_response', `The provider responded to a streaming request with ${given}.`);
};

/**
 * A 200 to a streaming request must be a stream. Some vendors send an error instead, and some proxies an HTML page.
 * @returns undefined if it is a stream
 * @throws GatewayError the vendor's own error if the body holds one, else `upstream_bad_response`
 */
export function expectStream<O extends Operation>(
  response: UpstreamResponse,
  channel: Channel<O>,
): Promise<void> | undefined {
  const type = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type !== '' && channel.framing.contentType.startsWith(type) ? undefined : refuse(response, channel, type);
}
