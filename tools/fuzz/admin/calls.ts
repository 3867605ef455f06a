import type { Random } from '../random.ts';

export type Role = 'developer' | 'viewer' | 'editor' | 'admin';
const ranks: readonly Role[] = ['developer', 'viewer', 'editor', 'admin'];
export const includes = (role: Role, least: Role): boolean => ranks.indexOf(role) >= ranks.indexOf(least);

/** A call of the admin API, as its OpenAPI document describes it. */
export interface AdminCall {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly isConditional: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
}

/** Of the files of the dashboard, one is enough. @param text of GET /admin/openapi.json */
export const readCalls = (text: string): readonly AdminCall[] =>
  Object.entries((JSON.parse(text) as Document).paths)
    .filter(([path]) => !path.startsWith('/dashboard/') || path === '/dashboard/set-ups.json')
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) => ({
        method: method.toUpperCase(),
        path,
        query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        isConditional: parameters.some((each) => each.in === 'header'),
      })),
    );

/**
 * The least role that a request may have, by its method and path as they were sent. Not read from the gateway, so that
 * a call with the wrong role is found. Undefined: no role.
 */
export function leastRoleOf(method: string, sent: string): Role | undefined {
  const path = (sent.split(/[?#]/)[0] ?? '')
    .toLowerCase()
    .replace(/^http:\/\/[^/]*/, '')
    .replace(/(?<=.)\/+$/, '');
  if (/^\/(?:livez|readyz|startupz|admin\/login|admin\/logout|admin\/login\/(?:begin|callback))$/.test(path))
    return undefined;
  if (/^\/admin\/(?:me(?:\/|$)|playground$)/.test(path)) return 'developer';
  if (['GET', 'HEAD', 'OPTIONS'].includes(method))
    return /^\/(?:dashboard\/.*|admin\/pages)?$/.test(path) ? 'developer' : 'viewer';
  if (method === 'POST' && path === '/admin/explain') return 'viewer';
  return /^\/admin\/keys(?:\/|$)/.test(path) ? 'editor' : 'admin';
}

const settings = {
  models: ['simulator/*'],
  limits: [
    { requests: 60, per: '1m' },
    { cost: 5, per: 'day' },
  ],
  losses: 'warn',
  tags: { team: 'search' },
  metadata: { owner: 'Ann' },
  owner: 'ann@acme.example',
};

/** Valid bodies. @param name of a new key */
export const bodyOf = ({ method, path }: AdminCall, name: string): unknown => {
  const bodies: Readonly<Record<string, unknown>> = {
    'POST /admin/keys': { name, organization: 'acme', project: 'web', ...settings, expires: '2999-01-31' },
    'POST /admin/keys/bulk': {
      keys: [1, 2, 3].map((each) => ({ name: `${name}-${each}`, organization: 'acme', project: 'web', ...settings })),
    },
    'PATCH /admin/keys/{id}': { name: `${name}-b`, ...settings, disabled: true, expiresAt: null },
    'POST /admin/keys/{id}/rotate': { overlap: '1h' },
    'POST /admin/me/keys/{id}/rotate': { overlap: '1h' },
    'POST /admin/me/keys': { name, project: 'acme/web', models: ['simulator/*'] },
    'POST /admin/explain': {
      key: 'alice',
      model: 'simulator/chat',
      body: { messages: [{ role: 'user', content: 'hi' }] },
      stream: true,
      all: true,
    },
  };
  return bodies[`${method} ${path}`] ?? {};
};

const values = ['1', 'acme', 'web', 'alice', 'hour', 'model', 'csv', '2026-11-21', '2026-11-21T09:00:00Z', '24h'];
const oddValues = ['', '0', '-1', '1e9', 'null', '*', "' OR 1=1 --", '\u0000', '💥', '__proto__', 'x'.repeat(3_000)];

/** A query of parameters that the call has, and of others. */
export function makeQuery({ query }: AdminCall, random: Random): string {
  if (random.chance(0.5)) return '';
  const parameters = new URLSearchParams();
  for (let times = 1 + random.below(4); times > 0; times -= 1)
    parameters.append(
      random.pick(query.length > 0 && random.chance(0.85) ? query : ['x', '__proto__', 'constructor', 'limit']),
      random.pick(random.chance(0.6) ? values : oddValues),
    );
  const text = random.chance(0.95) ? String(parameters) : random.pick(['=', '&&', '%', '%zz=1', 'a[b]=1', '?']);
  return `?${text}`;
}
