import type { Context } from 'koa';
import { excerpt } from '../../../../canonical/text/redact.ts';
import type { OidcConfig } from '../../../../config/admin-config.ts';
import type { AdminActor } from '../../../../contracts/admin.ts';
import type { Log } from '../../../../contracts/services.ts';
import { createBodyReader } from '../../../request/body.ts';
import type { RecordCall } from '../../audit/record-call.ts';
import type { Sessions } from '../sessions.ts';
import { readReasons } from './failure.ts';
import type { LogoutTokens } from './logout-token.ts';

/** Where the provider reports that a person has signed out there. */
export const BACK_CHANNEL = '/admin/login/backchannel';

const readForm = createBodyReader({ limit: 16_384, origin: ' for a sign-out' });
/** The identity provider, in the audit log. */
const actor: AdminActor = { name: 'provider', role: 'admin' };

/**
 * Ends the sessions of a person who has signed out at the provider. The token is all that the caller needs, and its
 * signature all that is trusted.
 */
export async function endByProvider(
  context: Context,
  { issuer }: Pick<OidcConfig, 'issuer'>,
  logoutTokens: LogoutTokens,
  sessions: Pick<Sessions, 'closeOf' | 'closeBySid'>,
  log: Pick<Log, 'warn'>,
  record: RecordCall,
): Promise<void> {
  try {
    const form = new URLSearchParams(new TextDecoder().decode(await readForm(context.req, context.res)));
    const { sid, sub = '' } = await logoutTokens.verify(form.get('logout_token') ?? '');
    const ended = sid === undefined ? sessions.closeOf(`${issuer} ${sub}`) : sessions.closeBySid(issuer, sid);
    const after = { issuer, ...(sid === undefined ? { subject: sub } : { sid }), sessions: ended };
    await record(context, actor, `POST ${BACK_CHANNEL}`, { status: 200, target: sid ?? sub, after });
    context.status = 200;
    context.body = '';
  } catch (thrown) {
    const address = context.req.socket.remoteAddress;
    const reason = excerpt(readReasons(thrown), 300);
    log.warn({ address, method: 'POST', code: 'invalid_request', reason }, 'admin call refused');
    context.status = 400;
    context.body = { error: 'invalid_request', error_description: 'The logout_token is not valid.' };
  }
}
