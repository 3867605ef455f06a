import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../contracts/services.ts';
import { setBounded } from '../../tenancy/bounded-map.ts';

/** How long nobody has to sign in again. */
export const SESSION_MS = 12 * 3_600_000;
/** The oldest ends when there would be more. */
const MOST = 100;

/** People who have shown the admin token in a browser. In memory alone: a restart asks for the token again. */
export interface Sessions {
  /** @returns the id, which only its cookie holds: 256 random bits */
  open(): string;
  has(id: string): boolean;
  close(id: string): void;
}

/** Found by digest, so that how long a look-up takes says nothing about an id. */
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
