import { hash, randomBytes } from 'node:crypto';
import type { AdminActor } from '../../../contracts/admin.ts';
import type { Clock } from '../../../contracts/services.ts';
import { setBounded } from '../../../services/bounded-map.ts';

/** Most sessions; a new one ends the oldest. */
const MOST = 1_000;

/** Sessions of people who have signed in. In memory only: they end with the process. */
export interface Sessions {
  /** @returns the id, 256 random bits, which only the cookie has */
  open(actor: AdminActor, lifeMs: number, idToken?: string): string;
  find(id: string | undefined): AdminActor | undefined;
  /** @returns the id token with which it was opened, if any */
  close(id: string): string | undefined;
}

interface Session {
  readonly actor: AdminActor;
  readonly endsAt: number;
  /** Of the identity provider, for the sign-out there. */
  readonly idToken: string | undefined;
}

/** Sessions are found by digest, so that the time of a lookup reveals nothing about an id. */
const digest = (id: string): string => hash('sha256', id);

export function createSessions({ monotonic }: Pick<Clock, 'monotonic'>): Sessions {
  const sessions = new Map<string, Session>();
  return {
    open: (actor, lifeMs, idToken) => {
      const id = randomBytes(32).toString('base64url');
      setBounded(sessions, MOST, digest(id), { actor, endsAt: monotonic() + lifeMs, idToken });
      return id;
    },
    find: (id) => {
      const session = id === undefined ? undefined : sessions.get(digest(id));
      return session !== undefined && session.endsAt > monotonic() ? session.actor : undefined;
    },
    close: (id) => {
      const key = digest(id);
      const idToken = sessions.get(key)?.idToken;
      sessions.delete(key);
      return idToken;
    },
  };
}
