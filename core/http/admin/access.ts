import type { AdminActor } from '../../contracts/admin.ts';
import type { RoleRenewal } from './login/oidc/renewal.ts';
import type { OidcSignIn } from './login/oidc/sign-in.ts';
import type { Directory } from './scim/directory.ts';
import type { Sessions } from './login/sessions.ts';
import type { TokenCheck } from './login/token.ts';

/** The holder of the admin token. */
export const tokenActor: AdminActor = { name: 'token', role: 'admin' };

/** What a caller of the admin listener has to present. */
export interface AdminAccess {
  /** `admin.host` */
  readonly host: string;
  readonly tokenCheck: TokenCheck | undefined;
  /** The sign-in of people by OpenID Connect. */
  readonly oidc?: OidcSignIn | undefined;
  readonly sessions: Sessions;
  /** Absent: roles are those of the sign-in. */
  readonly renewal?: Pick<RoleRenewal, 'renew'> | undefined;
  /** Absent: no directory provisions people (`admin.scim`). */
  readonly directory?: Directory | undefined;
}

/** Whether callers have to prove who they are. Otherwise the listener is bound to loopback. */
export const requiresLogin = ({ tokenCheck, oidc }: AdminAccess): boolean =>
  tokenCheck !== undefined || oidc !== undefined;
