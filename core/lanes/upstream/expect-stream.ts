import type { FileKind } from '../../canonical/operation/upload.ts';
import type { Operation } from '../../canonical/wire.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { isObject } from '../../canonical/json/members.ts';
import { parseJson } from '../../framing/json.ts';
import type { Channel } from '../channel.ts';
import { collectBody, MAX_MESSAGE_BYTES } from './collect.ts';
import type { UpstreamResponse } from './call.ts';

/** @param request what the response is to, for the message */
const refuse = async <O extends Operation>(
  response: UpstreamResponse,
  channel: Channel<O>,
  type: string,
  request: string,
): Promise<void> => {
  const { headers, status } = response;
  const parsed = parseJson((await collectBody(response, MAX_MESSAGE_BYTES)).toString('utf8'));
  if (isObject(parsed) && parsed['error'] !== undefined) {
    throw channel.upstream.decodeError({ status, headers, body: parsed });
  }
  const given = type === '' ? 'no content type' : `content type ${type}`;
  throw new GatewayError('upstream_bad_response', `The provider responded to ${request} with ${given}.`);
};

const typeOf = ({ headers }: Pick<UpstreamResponse, 'headers'>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * A 200 to a streaming request must be a stream. Some vendors send an error instead, and some proxies an HTML page.
 * @returns undefined if it is a stream
 * @throws GatewayError the vendor's own error if the body holds one, else `upstream_bad_response`
 */
export function expectStream<O extends Operation>(
  response: UpstreamResponse,
  channel: Channel<O>,
): Promise<void> | undefined {
  const type = typeOf(response);
  return type !== '' && channel.framing.contentType.startsWith(type)
    ? undefined
    : refuse(response, channel, type, 'a streaming request');
}

/** Whether a response says that it is a file of a kind. */
export const isFile = (response: Pick<UpstreamResponse, 'headers'>, kind: FileKind): boolean =>
  typeOf(response).startsWith(`${kind}/`);

/** What servers name that do not know the type of their files. */
const unknownTypes: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/**
 * The same for a request for a file.
 * @returns undefined if it is one
 * @throws GatewayError as `expectStream`
 */
export function expectFile<O extends Operation>(
  response: UpstreamResponse,
  channel: Channel<O>,
  kind: FileKind,
): Promise<void> | undefined {
  const type = typeOf(response);
  return isFile(response, kind) || unknownTypes.has(type)
    ? undefined
    : refuse(response, channel, type, `a request for ${kind}`);
}
