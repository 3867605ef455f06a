import { createHash, createHmac } from 'node:crypto';

/** A request as a server received it. */
export interface Received {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  readonly origin?: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** Every segment of the path is encoded once more. */
const encodeAgain = (path: string): string =>
  path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');

/**
 * Computes Signature Version 4 of a received request by itself, without the code under test.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const verify = (
  { method = 'POST', path, origin, headers, body }: Received,
  secret: string,
  service = 'bedrock',
): boolean => {
  const authorization = String(headers['authorization']);
  const [, day = '', region = '', signedService, names = '', signature] =
    /Credential=[^/]+\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      authorization,
    ) ?? [];
  const read = (name: string): string =>
    name === 'host' && origin !== undefined ? new URL(origin).host : String(headers[name]);
  const [pathname = '', query = ''] = path.split('?');
  const canonical = [
    method,
    service === 's3' ? pathname : encodeAgain(pathname),
    // Each query of these requests has its parameters in order.
    query,
    ...names.split(';').map((name) => `${name}:${read(name).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<Uint8Array>(
    (earlier, part) => hmac(earlier, part),
    Buffer.from(`AWS4${secret}`),
  );
  const required = ['host', 'x-amz-date', 'x-amz-content-sha256', ...(method === 'POST' ? ['content-type'] : [])];
  return (
    signedService === service &&
    required.every((name) => names.split(';').includes(name)) &&
    read('x-amz-content-sha256') === sha256(body) &&
    createHmac('sha256', key).update(text).digest('hex') === signature
  );
};
