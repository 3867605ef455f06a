import type { RequestHead } from '../../core/api/index.ts';
import { isObject, parseJson } from '../../core/api/codec.ts';
import { keyHeaders } from '../../core/api/internal.ts';

const TOKEN = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
const SCHEME = /^bearer +/i;

/** A token as a client presents it, in any place where a key can be. Undefined if there is none. */
export function readToken({ headers, query }: Pick<RequestHead, 'headers' | 'query'>): string | undefined {
  const bearer = headers['authorization'] ?? '';
  const inHeaders = keyHeaders.map((name) => headers[name]);
  const places = [SCHEME.test(bearer) ? bearer.replace(SCHEME, '').trim() : '', ...inHeaders, query['key']];
  return places.find((text) => text !== undefined && TOKEN.test(text));
}

/** The issuer that the token states, before anything of it is verified. */
export function readIssuer(token: string): unknown {
  const [, payload = ''] = TOKEN.exec(token) ?? [];
  const claims = parseJson(Buffer.from(payload, 'base64url').toString());
  return isObject(claims) ? claims['iss'] : undefined;
}
