import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../contracts/services.ts';
import { setBounded } from '../../services/bounded-map.ts';

/** The lifetime of a session. */
export const SESSION_MS = 12 * 3_600_000;
/** Most sessions; a new one ends the oldest. */
const MOST = 100;

/** Sessions of people who have signed in with the admin token. In memory only: they end with the process. */
export interface Sessions {
  /** @returns the id, 256 random bits, which only the cookie has */
  open(): string;
  has(id: string): boolean;
  close(id: string): void;
}

/** Sessions are found by digest, so that the time of a lookup reveals nothing about an id. */
const digest = (id: string): string => hash('sha256', id);

export function createSessions({ monotonic }: Pick<Clock, 'monotonic'>): Sessions {
  const ends = new Map<string, number>();
  return {
    open: () => {
      const id = randomBytes(32).toString('base64url');
      setBounded(ends, MOST, digest(id), monotonic() + SESSION_MS);
      return id;
    },
    has: (id) => (ends.get(digest(id)) ?? 0) > monotonic(),
    close: (id) => void ends.delete(digest(id)),
  };
}
