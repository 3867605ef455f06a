import { hash, randomBytes } from 'node:crypto';
import type { AdminActor } from '../../../contracts/admin.ts';
import type { Clock } from '../../../contracts/services.ts';
import { setBounded } from '../../../services/bounded-map.ts';

/** Most sessions of one person; a new one ends the person's own oldest. The holders of the token count as one. */
const MOST_OF_ONE = 20;
/** Most sessions of all people; a new one ends the oldest. Five hundred people have this many at the same time. */
const MOST = 10_000;

/** What a sign-in brings beside the actor. */
export interface SessionOrigin {
  /** The provider's name of its own session, from the claim `sid`. */
  readonly sid?: string | undefined;
  /** Of the identity provider, for the sign-out there. */
  readonly idToken?: string | undefined;
  /** With which the claims of the person can be read again. */
  readonly refreshToken?: string | undefined;
  /** Of the connection with which the person has signed in. */
  readonly address?: string | undefined;
  /** The `User-Agent` at the sign-in, by which people recognise the session. */
  readonly browser?: string | undefined;
}

/** A session as lists show it. It has no secret: `id` does not open the session. */
export interface ListedSession extends Pick<SessionOrigin, 'address' | 'browser'> {
  /** The first digits of the digest of the secret id: {@link AdminActor.session}. */
  readonly id: string;
  readonly actor: AdminActor;
  /** Unix milliseconds. */
  readonly since: number;
  readonly until: number;
}

/** When and with what the claims of a session were read. */
export interface Renewal {
  readonly refreshToken: string;
  /** On the monotonic clock. */
  readonly at: number;
}

interface Session extends SessionOrigin, ListedSession {
  /** On the monotonic clock: when the claims were read. */
  readonly renewedAt: number;
  /** See {@link personOf}. */
  readonly person: string;
  /** On the monotonic clock. */
  readonly endsAt: number;
}

/** Issuer and subject of a person, {@link AdminActor.id}; `token` for the holders of the admin token. */
export const personOf = ({ id, name }: AdminActor): string => id ?? name;

/** Sessions are found by digest, so that the time of a lookup reveals nothing about an id. */
const digest = (id: string): string => hash('sha256', id);
const LISTED_DIGITS = 16;

const describe = ({ id, actor, since, until, address, browser }: Session): ListedSession => ({
  id,
  actor,
  since,
  until,
  address,
  browser,
});

/** Sessions of people who have signed in. In memory only: they end with the process. */
export class Sessions {
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  /** By digest, the oldest first. */
  readonly #sessions = new Map<string, Session>();

  constructor(clock: Pick<Clock, 'monotonic' | 'now'>) {
    this.#clock = clock;
  }

  /** @returns the secret id, 256 random bits, which only the cookie has */
  open(actor: AdminActor, lifeMs: number, origin?: SessionOrigin): string {
    const person = personOf(actor);
    this.#makeRoom(person);
    const secret = randomBytes(32).toString('base64url');
    const key = digest(secret);
    const id = key.slice(0, LISTED_DIGITS);
    const since = this.#clock.now();
    const renewedAt = this.#clock.monotonic();
    const times = { since, until: since + lifeMs, renewedAt, endsAt: renewedAt + lifeMs };
    setBounded(this.#sessions, MOST, key, { ...origin, ...times, id, person, actor: { ...actor, session: id } });
    return secret;
  }

  find(id: string | undefined): AdminActor | undefined {
    const session = id === undefined ? undefined : this.#sessions.get(digest(id));
    return session !== undefined && session.endsAt > this.#clock.monotonic() ? session.actor : undefined;
  }

  /** What renews a session; undefined if there is no session, or nothing that does. */
  findRenewal(id: string): Renewal | undefined {
    const { refreshToken, renewedAt: at } = this.#sessions.get(digest(id)) ?? {};
    return refreshToken === undefined || at === undefined ? undefined : { refreshToken, at };
  }

  /**
   * Gives a session the role that its person has now. It ends when it would have ended.
   * @returns undefined if it has ended meanwhile
   */
  renew(id: string, person: AdminActor, refreshToken: string): AdminActor | undefined {
    const key = digest(id);
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    const actor = { ...person, session: session.id };
    this.#sessions.set(key, { ...session, actor, refreshToken, renewedAt: this.#clock.monotonic() });
    return actor;
  }

  /** @returns the id token with which it was opened, if any */
  close(id: string): string | undefined {
    const key = digest(id);
    const idToken = this.#sessions.get(key)?.idToken;
    this.#sessions.delete(key);
    return idToken;
  }

  /** The open sessions, the newest first. @param person only those of this person, see {@link personOf} */
  list(person?: string): readonly ListedSession[] {
    return this.#select((session) => person === undefined || session.person === person)
      .map(([, session]) => describe(session))
      .toReversed();
  }

  /**
   * Ends a session of a list.
   * @param person end it only if it is one of this person
   * @returns what it was; undefined if there is none
   */
  end(listedId: string, person?: string): ListedSession | undefined {
    const [found] = this.#select(
      (session) => session.id === listedId && (person === undefined || session.person === person),
    );
    if (found === undefined) return undefined;
    this.#sessions.delete(found[0]);
    return describe(found[1]);
  }

  /** Ends all sessions of a person. @param person see {@link personOf} @returns how many there were */
  closeOf(person: string): number {
    return this.#closeAll((session) => session.person === person);
  }

  /** Ends the sessions that belong to a session at the provider. @returns how many there were */
  closeBySid(issuer: string, sid: string): number {
    return this.#closeAll((session) => session.sid === sid && session.person.startsWith(`${issuer} `));
  }

  #select(matches: (session: Session) => boolean): readonly (readonly [string, Session])[] {
    const at = this.#clock.monotonic();
    return [...this.#sessions].filter(([, session]) => session.endsAt > at && matches(session));
  }

  #closeAll(matches: (session: Session) => boolean): number {
    const found = this.#select(matches);
    for (const [key] of found) this.#sessions.delete(key);
    return found.length;
  }

  /** Removes what has ended, and the person's own oldest sessions. */
  #makeRoom(person: string): void {
    const at = this.#clock.monotonic();
    const own: string[] = [];
    for (const [key, session] of this.#sessions)
      if (session.endsAt <= at) this.#sessions.delete(key);
      else if (session.person === person) own.push(key);
    for (const key of own.slice(0, Math.max(0, own.length - MOST_OF_ONE + 1))) this.#sessions.delete(key);
  }
}
