import { redactKeys } from '../../../canonical/text/redact.ts';
import { writeText, type AuditContent } from './chain.ts';

/** One call of the admin listener, as `GET /admin/audit` returns it, with its time in Unix milliseconds. */
export interface AuditEntry {
  readonly at: number;
  /** `person`, or the kind of another actor: `token`, `scim`, `loopback`, `cli`. */
  readonly kind: string;
  /** The name as shown. */
  readonly actor: string;
  /** Who a person is, whatever the name. */
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
  readonly role: string;
  /** Method and declared path: `POST /admin/keys`. */
  readonly action: string;
  readonly target?: string | undefined;
  /** JSON without secrets. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly status: number;
  /** How many calls the entry stands for; absent: one. */
  readonly count?: number;
  readonly address?: string | undefined;
}

/** Calls mask their secrets themselves. What looks like a key is masked here as well. */
const writeState = (state: unknown): string | null =>
  state === undefined ? null : writeText(redactKeys(JSON.stringify(state)));

const orNull = (text: string | undefined): string | null => (text === undefined ? null : writeText(text));

/** An entry as it is stored. */
export const writeEntry = ({ before, after, count = 1, ...entry }: AuditEntry): Omit<AuditContent, 'id'> => ({
  at: entry.at,
  kind: writeText(entry.kind),
  actor: writeText(entry.actor),
  issuer: orNull(entry.issuer),
  subject: orNull(entry.subject),
  role: writeText(entry.role),
  action: writeText(entry.action),
  target: orNull(entry.target),
  before: writeState(before),
  after: writeState(after),
  status: entry.status,
  count,
  address: orNull(entry.address),
});
