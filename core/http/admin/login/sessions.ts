import { hash, randomBytes } from 'node:crypto';
import type { AdminActor } from '../../../contracts/admin.ts';
import type { Clock } from '../../../contracts/services.ts';
import { setBounded } from '../../../services/bounded-map.ts';

/** Most sessions; a new one ends the oldest. */
const MOST = 1_000;

/** Sessions of people who have signed in. In memory only: they end with the process. */
export interface Sessions {
  /** @returns the id, 256 random bits, which only the cookie has */
  open(actor: AdminActor, lifeMs: number): string;
  find(id: string | undefined): AdminActor | undefined;
  close(id: string): void;
}

/** Sessions are found by digest, so that the time of a lookup reveals nothing about an id. */
const digest = (id: string): string => hash('sha256', id);

export function createSessions({ monotonic }: Pick<Clock, 'monotonic'>): Sessions {
  const sessions = new Map<string, { readonly actor: AdminActor; readonly endsAt: number }>();
  return {
    open: (actor, lifeMs) => {
      const id = randomBytes(32).toString('base64url');
      setBounded(sessions, MOST, digest(id), { actor, endsAt: monotonic() + lifeMs });
      return id;
    },
    find: (id) => {
      const session = id === undefined ? undefined : sessions.get(digest(id));
      return session !== undefined && session.endsAt > monotonic() ? session.actor : undefined;
    },
    close: (id) => void sessions.delete(digest(id)),
  };
}
