import type { Sessions } from './sessions.ts';
import type { TokenCheck } from './token.ts';

/** What a caller of the admin listener has to present. */
export interface AdminAccess {
  /** `admin.host` */
  readonly host: string;
  /** undefined if no token is configured: then the listener is bound to loopback. */
  readonly tokenCheck: TokenCheck | undefined;
  readonly sessions: Sessions;
}
