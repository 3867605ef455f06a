import type { Context } from 'koa';
import { omitUndefined } from '../../../canonical/json/omit-undefined.ts';
import type { AdminActor, AuditFacts } from '../../../contracts/admin.ts';
import type { Clock, Log } from '../../../contracts/services.ts';
import { fingerprint } from '../entity-tag.ts';
import { identify } from '../identity.ts';
import type { AuditLog } from './audit-log.ts';

/** Leaves the log line and the entry of a call. */
export type RecordCall = (
  context: Context,
  actor: AdminActor,
  action: string,
  facts: AuditFacts & { readonly status: number; readonly code?: string },
) => Promise<void>;

const shorten = (state: unknown): unknown =>
  typeof state === 'string' || state === undefined ? state : fingerprint(state);

/**
 * The log line has the actor with issuer and subject, its address, the call, its status, and the call's own facts.
 * States are shortened to their fingerprints there; the entry has them in full.
 */
export const createRecordCall =
  (log: Pick<Log, 'info'>, { now }: Pick<Clock, 'now'>, audit: Pick<AuditLog, 'record'>): RecordCall =>
  async (context, actor, action, { status, target, before, after, ...facts }) => {
    const address = context.req.socket.remoteAddress;
    const { name, role } = actor;
    const { kind, ...person } = identify(actor);
    const line = {
      who: name,
      ...person,
      role,
      address,
      call: action,
      status,
      target,
      before: shorten(before),
      after: shorten(after),
    };
    log.info(omitUndefined({ ...line, ...facts }), 'admin call');
    await audit.record({
      at: now(),
      kind,
      actor: name,
      ...person,
      role,
      action,
      target,
      before,
      after,
      status,
      address,
    });
  };
