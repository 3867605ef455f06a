import type { AdminReply, AdminRequest, AdminRouter, CallDescription } from '../../../contracts/admin.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import { identify } from '../identity.ts';
import { roles } from '../roles.ts';
import { flag, listOf, objectOf, text, time, wholeOf } from '../schemas.ts';
import { personOf, type ListedSession, type Sessions } from './sessions.ts';

const session = objectOf(
  {
    id: text,
    kind: text,
    name: text,
    issuer: text,
    subject: text,
    role: { enum: roles },
    since: time,
    until: time,
    address: text,
    browser: text,
    current: flag,
  },
  ['id', 'kind', 'name', 'role', 'since', 'until', 'current'],
);
const list = wholeOf({ sessions: listOf(session) });
const described = {
  all: { summary: 'The sessions of all people at this gateway, the newest first.', role: 'admin', answer: list },
  end: { summary: 'Ends a session of any person.', role: 'admin', answer: session },
  own: { summary: 'The own sessions of the caller, the newest first.', role: 'developer', answer: list },
  endOwn: { summary: 'Ends an own session of the caller.', role: 'developer', answer: session },
} as const satisfies Readonly<Record<string, CallDescription>>;

const describe = (
  { id, actor, since, until, address, browser }: ListedSession,
  { actor: caller }: AdminRequest,
): object => ({
  id,
  ...identify(actor),
  name: actor.name,
  role: actor.role,
  since: new Date(since).toISOString(),
  until: new Date(until).toISOString(),
  address,
  browser,
  current: id === caller.session,
});

/** Adds the calls for sessions: docs/govern/sign-in.md. */
export function addSessionCalls(router: AdminRouter, sessions: Sessions): void {
  const show = (request: AdminRequest, person?: string): AdminReply => ({
    body: { sessions: sessions.list(person).map((each) => describe(each, request)) },
  });
  const end = (request: AdminRequest, person?: string): AdminReply => {
    const id = request.params['id'] ?? '';
    const ended = sessions.end(id, person);
    if (ended === undefined)
      throw new GatewayError(
        'not_found',
        `No open session has this id. GET /admin/${person === undefined ? '' : 'me/'}sessions lists them.`,
      );
    const { name } = ended.actor;
    return { body: describe(ended, request), audit: { target: id, before: { ...identify(ended.actor), name } } };
  };
  router.get('/admin/sessions', (request) => show(request), described.all);
  router.delete('/admin/sessions/{id}', (request) => end(request), described.end);
  router.get('/admin/me/sessions', (request) => show(request, personOf(request.actor)), described.own);
  router.delete('/admin/me/sessions/{id}', (request) => end(request, personOf(request.actor)), described.endOwn);
}
