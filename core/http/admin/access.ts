import type { Sessions } from './sessions.ts';
import type { TokenCheck } from './token.ts';

/** Who has to show what. */
export interface AdminAccess {
  /** `admin.host` */
  readonly host: string;
  /** undefined: there is no token, and the listener is bound to loopback. */
  readonly tokenCheck: TokenCheck | undefined;
  readonly sessions: Sessions;
}
