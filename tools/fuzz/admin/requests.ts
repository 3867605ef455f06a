import { cut, damage, encode } from '../damage.ts';
import type { FuzzRequest } from '../http.ts';
import { collectDonors, mutate } from '../mutate.ts';
import type { Random } from '../random.ts';
import { bodyOf, makeQuery, type AdminCall } from './calls.ts';

const donors = collectDonors([
  { requests: 1, per: '1m' },
  { tokens: 1e15, per: 'month', each: 'user' },
  { concurrent: 0 },
  ['*', 'simulator/chat', '!x'],
  ['acme/web', 'acme/web/alice', 'acme', 'web', 'other', 'configuration'],
  ['=cmd()', '<script>alert(1)</script>', '\u202e', 'allow', 'off', 'drop', '1999-01-31', '2999-13-41', '0s', '99999d'],
]);
const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE', 'QUERY', 'LOCK'] as const;

const respellPath = (path: string, random: Random): string =>
  random.pick<() => string>([
    () => `${path}/`,
    () => `/${path}`,
    () => path.toUpperCase(),
    () => path.replace('/admin', '/admin/.'),
    () => path.replace('/admin', '/x/../admin'),
    () => path.replace('/admin', '/%61dmin'),
    () => path.replace('/', '/%2F'),
    () => `${path}%00`,
    () => `${path}%`,
    () => `${path};a=b`,
    () => `${path}/x`,
    () => `${path}#x`,
    () => `http://127.0.0.1${path}`,
    () => `/admin/${'a/'.repeat(500)}`,
    () => `/admin/keys/${random.pick(['bulk', '..', '%2e%2e', 'null', '%00', '-1', 'a%2Fb', 'x'.repeat(5_000)])}`,
    () => '*',
  ])();

const oddHeaders: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['content-type', ['text/plain', '', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'a/b']],
  ['if-match', ['*', '"x"', 'W/"x"', '', ',', '"'.repeat(3_000)]],
  ['if-none-match', ['*', '"x"', '']],
  ['origin', ['https://evil.example', 'null', '', 'http://127.0.0.1']],
  ['sec-fetch-site', ['cross-site', 'same-site', 'none', '']],
  ['host', ['evil.example', '127.0.0.1:1', '', 'a b', '[::1]']],
  ['accept', ['text/html', '*/*', '', 'x'.repeat(2_000)]],
  ['accept-encoding', ['gzip', 'br', 'identity;q=0', '*;q=0', 'x'.repeat(2_000)]],
  ['range', ['bytes=0-1', 'bytes=-1']],
  ['x-forwarded-for', ['1.2.3.4', 'x'.repeat(2_000)]],
  ['x-forwarded-proto', ['https', 'x']],
  ['x-http-method-override', ['DELETE', 'POST']],
  ['x-koine-page', ['', '0']],
  ['expect', ['100-continue', 'x']],
  ['user-agent', ['', 'x'.repeat(4_000)]],
];

/** Headers as a page of the listener sends them, some changed. */
const makeHeaders = (call: AdminCall, random: Random): Record<string, string> => {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-koine-page': '1' };
  if (call.isConditional && random.chance(0.2)) headers['if-match'] = random.pick(['"x"', '*']);
  for (let times = random.chance(0.2) ? 1 + random.below(3) : 0; times > 0; times -= 1) {
    const [name, values] = random.pick(oddHeaders);
    headers[name] = random.pick(values);
  }
  return headers;
};

/**
 * A valid call with random changes of its method, path, query, headers and body.
 * @param id of the key that the call is about
 * @param credentials the headers of the caller
 */
export function makeAdminRequest(
  call: AdminCall,
  random: Random,
  { id, name, credentials }: { readonly id: string; readonly name: string; readonly credentials: object },
): FuzzRequest {
  const method = random.chance(0.93) ? call.method : random.pick(methods);
  const path = call.path.replace('{id}', () => (random.chance(0.95) ? id : random.pick(['%00', '-', 'x', '*', '💥'])));
  const body = bodyOf(call, name);
  const text = JSON.stringify(random.chance(0.55) ? mutate(body, random, donors) : body) ?? '';
  const hasBody = ['POST', 'PATCH', 'PUT'].includes(method);
  const { headers, bytes } = hasBody ? encode(damage(text, random), random) : { headers: {}, bytes: Buffer.alloc(0) };
  return {
    method,
    path: encodeURI((random.chance(0.9) ? path : respellPath(path, random)) + makeQuery(call, random)).replaceAll(
      '%25',
      '%',
    ),
    headers: { ...makeHeaders(call, random), ...headers, ...credentials },
    pieces: hasBody ? cut(bytes, random) : [],
  };
}
