import type { Sessions } from './sessions.ts';
import type { TokenDoor } from './token.ts';

/** Who has to show what. */
export interface AdminEntrance {
  /** `admin.host` */
  readonly host: string;
  /** undefined: there is no token, and the listener is bound to loopback. */
  readonly door: TokenDoor | undefined;
  readonly sessions: Sessions;
}
