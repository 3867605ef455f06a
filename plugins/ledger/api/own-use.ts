import {
  GatewayError,
  type AdminActor,
  type AdminReply,
  type AdminRouter,
  type Headers,
  type PrimaryServices,
} from '../../../core/api/index.ts';
import type { QueryLedger } from '../read/queries.ts';
import { usageCall } from './description.ts';
import { describeRow } from './describe-request.ts';
import { requestsCall } from './requests-description.ts';
import { readRequestsRequest, writeCursor } from './requests-request.ts';

/** As far back as no other person can have had a key of the same name (docs/govern/personal-keys.md). */
const RECENT_MS = 31 * 86_400_000;
/** More than a person can have. */
const MOST_KEYS = 500;
/** A path that no key has. */
const NO_KEY = '?';

const parameters = ['from', 'to', 'outcome', 'limit', 'cursor'] as const;

/** What a person sees of a request: not which provider it went to, as callers of `/v1/usage` do not. */
type OwnRow = Omit<ReturnType<typeof describeRow>, 'provider' | 'target' | 'upstreamRequestId'>;
const describeOwn = (row: Parameters<typeof describeRow>[0]): OwnRow & { readonly message: string | null } => {
  const { provider: _provider, target: _target, upstreamRequestId: _id, ...own } = describeRow(row);
  return { ...own, message: row.message };
};

interface Parts {
  readonly queryLedger: QueryLedger;
  readonly services: Pick<PrimaryServices, 'callers' | 'clock'>;
  readonly report: (query: Headers, keys: readonly string[]) => Promise<AdminReply>;
}

/** The calls with which signed-in people see what their own keys have used: docs/reference/admin.md. */
export function addOwnUse(router: AdminRouter, { queryLedger, services, report }: Parts): void {
  const { callers, clock } = services;
  const readKeys = async ({ id }: AdminActor): Promise<readonly string[]> => {
    if (id === undefined)
      throw new GatewayError(
        'permission_denied',
        'This call is for people who have signed in with admin.oidc. With the admin token, use /admin/usage.',
      );
    const { callers: own } = await callers({ ownerId: id, limit: MOST_KEYS });
    return own.length === 0
      ? [NO_KEY]
      : own.map(({ organization, project, key }) => `${organization}/${project}/${key}`);
  };
  const since = ({ from }: Headers): string => {
    const earliest = new Date(clock.now() - RECENT_MS).toISOString();
    return from === undefined || Date.parse(from) < Date.parse(earliest) ? earliest : from;
  };
  router.get(
    '/admin/me/usage',
    async ({ actor, query }) => report({ ...query, from: since(query) }, await readKeys(actor)),
    { ...usageCall, summary: 'What the own keys of the signed-in person have used.', role: 'developer' },
  );
  router.get(
    '/admin/me/requests',
    async ({ actor, query }) => {
      const { dimensions, ...search } = readRequestsRequest({ ...query, from: since(query) }, parameters);
      const keys = await readKeys(actor);
      const { rows, next } = await queryLedger('requests', { ...search, dimensions: { ...dimensions, key: keys } });
      return { body: { requests: rows.map(describeOwn), next: next === undefined ? null : writeCursor(next) } };
    },
    {
      ...requestsCall,
      query: Object.fromEntries(parameters.map((name) => [name, requestsCall.query?.[name] ?? ''])),
      summary: 'The requests of the own keys of the signed-in person, the newest first.',
      role: 'developer',
    },
  );
}
