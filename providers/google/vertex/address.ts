import { GatewayError, type Headers, type UpstreamCall, type UpstreamRequest } from '../../../core/api/index.ts';
import { missingCredential } from '../../../core/api/internal.ts';
import type { Login } from '../../identity/google/login.ts';
import type { Logins } from './logins.ts';
import { DEFAULT_LOCATION, type VertexOptions } from './schema.ts';

/** A method of a model, e.g. `:generateContent`, and the API version that has it. */
export interface Method {
  readonly version: 'v1' | 'v1beta1';
  /** The model's name under its project and location: `publishers/google/models/gemini-2.5-flash`. */
  readonly resource: string;
  readonly plain: string;
  readonly streamed: string;
  /** Which headers of the call are sent. Absent: all. */
  readonly filter?: (headers: Headers) => Headers;
}

const multiRegions: ReadonlySet<string> = new Set(['us', 'eu']);
export const hostOf = (location: string): string => {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return multiRegions.has(location)
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
};

/** Google's own clients leave the `@` of a version as it is. */
const encodePath = (resource: string): string =>
  resource
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('%40', '@'))
    .join('/');

/** Builds the addresses and headers of one method. What does not depend on the call is computed once. */
export function createAddress(
  { project = '', location = DEFAULT_LOCATION, baseUrl = '' }: VertexOptions,
  logins: Pick<Logins, 'login'>,
  { version, resource, plain, streamed, filter = (headers) => headers }: Method,
): (call: UpstreamCall) => UpstreamRequest {
  const expressUrl = `https://${hostOf('global')}`;
  const regional = new URL(baseUrl === '' ? `https://${hostOf(location)}` : baseUrl);
  const express = baseUrl === '' ? new URL(expressUrl) : regional;
  const end = encodePath(resource);
  const write = (login: Login, { headers, body, stream }: UpstreamCall): UpstreamRequest => {
    const owner = project === '' ? login.project : project;
    const isExpress =
      owner === undefined && 'x-goog-api-key' in login.headers && resource.startsWith('publishers/google/');
    if (owner === undefined && !isExpress)
      throw new GatewayError(
        'upstream_credential',
        `'${resource}' needs a project: give this provider config.project in gateway.yaml.`,
      );
    const { origin, pathname } = isExpress ? express : regional;
    const base = `${pathname.replace(/\/+$/, '')}/${version}`;
    const scope = isExpress ? '' : `/projects/${encodeURIComponent(owner ?? '')}/locations/${location}`;
    return {
      origin,
      path: `${base}${scope}/${end}${stream ? streamed : plain}`,
      headers: { ...filter(headers), 'content-type': 'application/json', ...login.headers },
      body,
    };
  };
  return (call) => {
    const login = logins.login(call.credential);
    if (login === undefined) throw missingCredential(call.credential);
    return write(login, call);
  };
}
