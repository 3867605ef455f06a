import { isSecretName } from '../../config/secrets/option-secrets.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import { parseExactJson } from '../../framing/exact-json.ts';
import type { ExplainedRequest } from './explanation.ts';

const MASK = '***';
/** Query parameters such as `sig` and `X-Amz-Signature` authorize any holder of the address. */
const isSecret = (name: string): boolean => isSecretName(name) || /^sig$|signature|auth/i.test(name);

const maskQuery = (path: string): string =>
  path.replaceAll(/(?<=[?&])([^=&#]+)=[^&#]*/g, (member, name: string) =>
    isSecret(name) ? `${name}=${MASK}` : member,
  );

/** The call that would be made. Credentials in headers and query are masked; `createRedact` masks other secrets. */
export function describeRequest({ origin, path, headers, body }: UpstreamRequest): ExplainedRequest {
  const text = new TextDecoder().decode(body);
  return {
    method: 'POST',
    url: origin + maskQuery(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? MASK : value])),
    body: parseExactJson(text) ?? text,
  };
}
