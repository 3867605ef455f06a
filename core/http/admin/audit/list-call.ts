import { omitUndefined } from '../../../canonical/json/omit-undefined.ts';
import { EXPIRY_PATTERN, isTime, parseExpiry } from '../../../config/units/expiry.ts';
import type { AdminRequest, AdminRouter, CallDescription } from '../../../contracts/admin.ts';
import { invalidRequest } from '../../../errors/gateway-error.ts';
import { parseJson } from '../../../framing/json.ts';
import type { AuditTable } from '../../../services/database/schema.ts';
import { checkParameters, readLimit } from '../query.ts';
import { count, listOf, objectOf, optionalText, text, time, wholeOf } from '../schemas.ts';
import type { AuditFilter, AuditLog } from './audit-log.ts';

const MOST = 500;
const DEFAULT = 50;
const TIME = new RegExp(EXPIRY_PATTERN);

const readTime = (name: 'from' | 'to', given: string | undefined): number | undefined => {
  if (given === undefined) return undefined;
  if (TIME.test(given) && isTime(given)) return parseExpiry(given);
  throw invalidRequest(name, `${name} must be a day or a time such as 2026-11-21 or 2026-11-21T09:00:00Z.`);
};

/** The position of an entry in the list. */
const writeCursor = ({ at, id }: AuditTable): string => `${at}.${id}`;
const readCursor = (given: string | undefined): AuditFilter['after'] => {
  if (given === undefined) return undefined;
  const [, at, id = ''] = /^(\d{1,15})\.([\da-f-]{36})$/.exec(given) ?? [];
  if (at === undefined) throw invalidRequest('cursor', 'cursor must be the "next" of an earlier response.');
  return { at: Number(at), id };
};

const names = ['from', 'to', 'actor', 'subject', 'action', 'limit', 'cursor'];

const readFilter = ({ query }: AdminRequest): AuditFilter => {
  checkParameters(query, names);
  const { actor, subject, action } = query;
  return omitUndefined({
    from: readTime('from', query['from']),
    to: readTime('to', query['to']),
    actor,
    subject,
    action,
    after: readCursor(query['cursor']),
    limit: readLimit(query, DEFAULT, MOST),
  });
};

const readState = (state: string | null): unknown => (state === null ? null : parseJson(state));
const describeEntry = ({ id, at, before, after, kind, actor, issuer, subject, ...entry }: AuditTable): object => ({
  id,
  time: new Date(at).toISOString(),
  kind,
  actor,
  issuer,
  subject,
  role: entry.role,
  action: entry.action,
  target: entry.target,
  before: readState(before),
  after: readState(after),
  status: entry.status,
  count: entry.count,
  address: entry.address,
  digest: entry.digest,
});

const described: CallDescription = {
  summary: 'The changes that operators have made, and those that were refused by role; the newest first.',
  query: {
    from: 'A day or a time. Default: the oldest entry.',
    to: 'A day or a time, exclusive. Default: now.',
    actor: 'Only calls of this actor: a name, token, scim, loopback, or cli:<name>.',
    subject: 'Only calls of the person with this subject at the identity provider, whatever the name.',
    action: 'Only this call or command: POST /admin/keys, koine keys create.',
    limit: `The number of entries, at most ${MOST}. Default: ${DEFAULT}.`,
    cursor: 'The "next" of the previous page.',
  },
  answer: wholeOf({
    entries: listOf(
      objectOf({
        id: text,
        time,
        kind: optionalText,
        actor: text,
        issuer: optionalText,
        subject: optionalText,
        role: text,
        action: text,
        target: optionalText,
        before: {},
        after: {},
        status: count,
        count,
        address: optionalText,
        digest: optionalText,
      }),
    ),
    next: optionalText,
  }),
};

/** Adds GET /admin/audit: docs/govern/audit.md. */
export function addAuditCall(router: AdminRouter, audit: Pick<AuditLog, 'list'>): void {
  router.get(
    '/admin/audit',
    async (request) => {
      const filter = readFilter(request);
      // One more than the page has shows whether there is a next page.
      const rows = await audit.list({ ...filter, limit: filter.limit + 1 });
      const page = rows.slice(0, filter.limit);
      const last = page.at(-1);
      const next = rows.length > page.length && last !== undefined ? writeCursor(last) : null;
      return { body: { entries: page.map(describeEntry), next } };
    },
    described,
  );
}
