import type { ScimConfig } from '../../../config/admin-config.ts';
import type { AdminActor } from '../../../contracts/admin.ts';
import type { Clock } from '../../../contracts/services.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { People, Provisioned } from '../../../tenancy/people.ts';

/** How long a session outlives its last confirmation while the database fails, as keys do. */
const GRACE_MS = 3_600_000;

interface Parts {
  readonly people: Pick<People, 'find' | 'bindPerson'>;
  readonly config: Pick<ScimConfig, 'unknownUsers' | 'groupsGiveRoles'>;
  /** The groups that give a role or a project. */
  readonly isEffective: (group: string) => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** What the directory (`admin.scim`) decides about people who sign in, and about their sessions. */
export class Directory {
  readonly #parts: Parts;
  /** When a session was last confirmed, on the monotonic clock. */
  readonly #confirmed = new WeakMap<AdminActor, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Ties a person who signs in to a user.
   * @param personId issuer and subject
   * @returns the names of the groups that count as values of the claim of roles
   * @throws GatewayError `permission_denied` if the person may not sign in
   */
  async admit(personId: string, claims: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const { people } = this.#parts;
    await people.bindPerson(personId, claims);
    const found = await people.find(personId);
    if (this.#isAllowed(found)) return this.#groupsOf(found);
    throw new GatewayError(
      'permission_denied',
      found === undefined
        ? 'The directory of your organization has not provisioned you at this gateway. Ask its administrators to ' +
            'assign this application to you (admin.scim of gateway.yaml).'
        : 'Your account at this gateway is not active any more. Ask the administrators of your directory.',
    );
  }

  /**
   * Whether a session may go on: its person is active, and has the groups of the sign-in. Asks the database with each
   * call, so that a change takes effect at once, whichever process has made it.
   */
  async confirms(actor: AdminActor): Promise<boolean> {
    if (actor.id === undefined) return true;
    const now = this.#parts.clock.monotonic();
    let found: Provisioned | undefined;
    try {
      found = await this.#parts.people.find(actor.id);
    } catch {
      return now - (this.#confirmed.get(actor) ?? -Infinity) < GRACE_MS;
    }
    this.#confirmed.set(actor, now);
    return this.#isAllowed(found) && String(this.#groupsOf(found)) === String(actor.groups ?? []);
  }

  #isAllowed(found: Provisioned | undefined): boolean {
    return found === undefined ? this.#parts.config.unknownUsers === 'allow' : found.active;
  }

  #groupsOf(found: Provisioned | undefined): readonly string[] {
    const { config, isEffective } = this.#parts;
    return config.groupsGiveRoles ? [...new Set(found?.groups.filter(isEffective))].toSorted() : [];
  }
}
