import { isObject, type ErrorReply } from '../../core/api/codec.ts';

/**
 * The name of an exception in lower case; empty for none. The header can have an address after the name, the body a
 * namespace before it: https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization
 */
export function readErrorType({ headers, body }: Pick<ErrorReply, 'headers' | 'body'>): string {
  const members = isObject(body) ? body : {};
  const given = headers['x-amzn-errortype'] ?? members['__type'] ?? members['code'];
  const [name = ''] = typeof given === 'string' ? given.split(':', 1) : [];
  return name.slice(name.lastIndexOf('#') + 1).toLowerCase();
}
