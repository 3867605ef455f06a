import { excerpt } from '../../../../canonical/text/redact.ts';
import { isObject } from '../../../../canonical/json/members.ts';
import type { AdminActor } from '../../../../contracts/admin.ts';
import type { Clock, Log } from '../../../../contracts/services.ts';
import { GatewayError } from '../../../../errors/gateway-error.ts';
import type { Directory } from '../../scim/directory.ts';
import type { Renewal, Sessions } from '../sessions.ts';
import { readReasons } from './failure.ts';
import { readActor, type OidcSignIn } from './sign-in.ts';

/** How long a session outlives its claims while the provider fails, as keys and the directory do. */
const GRACE_MS = 3_600_000;
/** The provider is not called more often while it fails. */
const PAUSE_MS = 30_000;

interface Parts {
  readonly signIn: OidcSignIn;
  readonly sessions: Pick<Sessions, 'findRenewal' | 'renew' | 'close'>;
  readonly directory?: Directory | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
}

/** Whether the provider has refused the person, and does not only fail. */
const isRefusal = (thrown: unknown): boolean =>
  (GatewayError.is(thrown) && thrown.code === 'permission_denied') ||
  (isObject(thrown) && thrown['error'] === 'invalid_grant');

/** Reads the roles of people again while they use their sessions (`admin.oidc.refresh`). */
export class RoleRenewal {
  readonly #parts: Parts;
  /** Of each session at most one: a refresh token often counts once. */
  readonly #running = new Map<string, Promise<AdminActor | undefined>>();
  #pausedUntil = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * @param session its secret id
   * @returns the person with the role of now; undefined: the session has ended
   */
  async renew(session: string, actor: AdminActor): Promise<AdminActor | undefined> {
    const { signIn, sessions, clock } = this.#parts;
    const renewal = sessions.findRenewal(session);
    const now = clock.monotonic();
    if (renewal === undefined || now - renewal.at < (signIn.config.refresh ?? Infinity)) return actor;
    if (now < this.#pausedUntil) return this.#outlives(session, actor, renewal);
    let running = this.#running.get(session);
    if (running === undefined) {
      running = this.#read(session, actor, renewal).finally(() => this.#running.delete(session));
      this.#running.set(session, running);
    }
    return running;
  }

  async #read(session: string, actor: AdminActor, renewal: Renewal): Promise<AdminActor | undefined> {
    const { signIn, sessions, directory, clock, log } = this.#parts;
    const [, subject = ''] = /^\S+ (.*)$/s.exec(actor.id ?? '') ?? [];
    try {
      const { claims, refreshToken } = await signIn.provider.refresh(renewal.refreshToken, subject);
      const person = await readActor(claims, signIn, directory);
      if (person.role !== actor.role)
        log.info({ person: actor.name, before: actor.role, role: person.role }, 'the role of a session has changed');
      return sessions.renew(session, person, refreshToken ?? renewal.refreshToken);
    } catch (thrown) {
      const cause = excerpt(readReasons(thrown), 300);
      log.warn({ person: actor.name, cause }, 'the roles of a session could not be read again');
      if (!isRefusal(thrown)) {
        this.#pausedUntil = clock.monotonic() + PAUSE_MS;
        return this.#outlives(session, actor, renewal);
      }
      sessions.close(session);
      return undefined;
    }
  }

  /** While the provider fails, the role of before counts for an hour. */
  #outlives(session: string, actor: AdminActor, { at }: Renewal): AdminActor | undefined {
    const { signIn, sessions, clock } = this.#parts;
    if (clock.monotonic() - at < (signIn.config.refresh ?? 0) + GRACE_MS) return actor;
    sessions.close(session);
    return undefined;
  }
}
