import { readClaim } from '../../../../canonical/json/read-claim.ts';
import { readList } from '../../../../canonical/json/read.ts';
import { readPersonName } from '../../../../canonical/text/person-name.ts';
import type { OidcConfig, PersonalKeysConfig } from '../../../../config/admin-config.ts';
import type { AdminActor } from '../../../../contracts/admin.ts';
import { roles as allRoles } from '../../roles.ts';
import type { Claims } from './identity-provider.ts';

/** A person whom the provider has signed in. */
export interface Person {
  readonly name: string;
  readonly role: AdminActor['role'] | undefined;
  /** Issuer and subject: unique, and never given to another person. An issuer has no space. */
  readonly id: string;
  readonly projects: readonly string[];
}

/** The values of the claim of roles: a text, or the texts of a list. */
const readValues = (claims: Claims, name: string): readonly unknown[] => {
  const value = readClaim(claims, name);
  return typeof value === 'string' ? [value] : readList(value);
};

/** The subject is unique at the provider and never changes, but it is often not readable. */
const writeSubject = (subject: unknown): string =>
  `sub:${String(subject).toWellFormed().replaceAll(/\p{C}/gu, '\u{fffd}').slice(0, 255)}`;

/** An address that the provider has not verified can be that of another person. */
const readName = (claims: Claims, nameClaim: string): string => {
  const isVerified = nameClaim !== 'email' || claims['email_verified'] === true;
  return (isVerified ? readPersonName(readClaim(claims, nameClaim)) : undefined) ?? writeSubject(claims['sub']);
};

/** What the values of the claim have in a mapping of the configuration. `*` is for every person. */
const mapTo = <T>(values: readonly unknown[], mapping: Readonly<Record<string, T>>): ReadonlySet<T> =>
  new Set(
    Object.entries(mapping)
      .filter(([value]) => value === '*' || values.includes(value))
      .map(([, mapped]) => mapped),
  );

/**
 * Reads a person from the claims. The highest role of all values applies.
 * @param groups of the directory, which count as values of the claim of roles
 */
export function readPerson(
  claims: Claims,
  { issuer, nameClaim, rolesClaim, roles }: Pick<OidcConfig, 'issuer' | 'nameClaim' | 'rolesClaim' | 'roles'>,
  projects: PersonalKeysConfig['projects'] = {},
  groups: readonly string[] = [],
): Person {
  const values = [...readValues(claims, rolesClaim), ...groups];
  const found = mapTo(values, roles);
  return {
    name: readName(claims, nameClaim),
    role: allRoles.findLast((role) => found.has(role)),
    id: `${issuer} ${String(claims['sub'])}`,
    projects: [...mapTo(values, projects)],
  };
}
