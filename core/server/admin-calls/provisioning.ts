import { hash } from 'node:crypto';
import { createOidcSignIn, type OidcSignIn } from '../../http/admin/login/oidc/sign-in.ts';
import { Sessions } from '../../http/admin/login/sessions.ts';
import { Directory } from '../../http/admin/scim/directory.ts';
import { Groups } from '../../http/admin/scim/groups.ts';
import type { ScimParts } from '../../http/admin/scim/scim.ts';
import { Users } from '../../http/admin/scim/users.ts';
import { fetchService } from '../../services/network/fetch.ts';
import { createPeople } from '../../tenancy/people.ts';
import type { Runtime } from '../runtime.ts';

/** How people sign in, their sessions, and the directory that provisions them. */
export interface SignInParts {
  readonly sessions: Sessions;
  readonly oidc: OidcSignIn | undefined;
  readonly directory: Directory | undefined;
  readonly scim: Pick<ScimParts, 'token' | 'users' | 'groups' | 'people'> | undefined;
}

/** Sessions survive a reload unless the token, the provider, or what decides about people has changed. */
export function createSignIn({ loaded, clock, shared, database }: Runtime): SignInParts {
  const { oidc, personalKeys, scim, token = '' } = loaded.config.admin;
  const { token: scimToken, ...rules } = scim ?? {};
  const access = hash('sha256', JSON.stringify([token, oidc, personalKeys?.projects, rules]));
  const sessions = shared(`core/admin-sessions/${access}`, () => new Sessions(clock));
  if (oidc === undefined) return { sessions, oidc, directory: undefined, scim: undefined };
  const signIn = shared(`core/admin-oidc/${access}`, () =>
    createOidcSignIn(oidc, personalKeys?.projects, fetchService, clock),
  );
  if (scim === undefined || scimToken === undefined)
    return { sessions, oidc: signIn, directory: undefined, scim: undefined };
  const people = createPeople(database, oidc.issuer, scim);
  const effective = new Set([...Object.keys(oidc.roles), ...Object.keys(personalKeys?.projects ?? {})]);
  return {
    sessions,
    oidc: signIn,
    directory: shared(
      `core/admin-directory/${access}`,
      () => new Directory({ people, config: scim, isEffective: (group) => effective.has(group), clock }),
    ),
    scim: {
      token: scimToken,
      users: new Users(database, clock, people),
      groups: new Groups(database, clock),
      people,
    },
  };
}
