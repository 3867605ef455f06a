import { isSecretName } from '../../config/secrets/option-secrets.ts';
import type { UpstreamRequest } from '../../contracts/provider.ts';
import { parseExactJson } from '../../framing/exact-json.ts';
import type { ExplainedRequest } from './explanation.ts';

const MASK = '***';
/** `sig` and `X-Amz-Signature` sign an address for whoever has it. */
const isSecret = (name: string): boolean => isSecretName(name) || /^sig$|signature|auth/i.test(name);

const maskQuery = (path: string): string =>
  path.replaceAll(/(?<=[?&])([^=&#]+)=[^&#]*/g, (member, name: string) =>
    isSecret(name) ? `${name}=${MASK}` : member,
  );

/** A call that would be made, with the values of headers and query that are credentials masked. What else is secret is for whoever prints it. */
export function describeRequest({ origin, path, headers, body }: UpstreamRequest): ExplainedRequest {
  const text = new TextDecoder().decode(body);
  return {
    method: 'POST',
    url: origin + maskQuery(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? MASK : value])),
    body: parseExactJson(text) ?? text,
  };
}
