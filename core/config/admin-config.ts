import type { AdminRole } from '../contracts/admin.ts';
import type { Limit } from '../contracts/caller.ts';

/** What the listener for operators requires of them, and keeps about them. */
export interface AdminConfig {
  readonly host: string;
  readonly port: number;
  readonly token?: string;
  readonly oidc?: OidcConfig;
  /** Absent: people cannot make keys. */
  readonly personalKeys?: PersonalKeysConfig;
  /** Absent: no directory provisions the people who sign in. */
  readonly scim?: ScimConfig;
  /** How long the entries of the audit log are kept, in milliseconds. */
  readonly auditRetention: number;
}

/** The identity provider of operators, by OpenID Connect. */
export interface OidcConfig {
  /** The URL below which `/.well-known/openid-configuration` is found. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
  readonly clientSecret?: string;
  /** Absent: `/admin/login/callback` at the address that the browser uses. */
  readonly redirectUri?: string;
  readonly scopes: readonly string[];
  /** The claim with the name of the person in the dashboard and the audit log. */
  readonly nameClaim: string;
  /** The claim whose values are the names in `roles`. Dots separate the members of nested claims. */
  readonly rolesClaim: string;
  /** The role by a value of the claim. `*`: every person whom the provider signs in. The highest one applies. */
  readonly roles: Readonly<Record<string, AdminRole>>;
  /** How long a session lasts, in milliseconds. */
  readonly sessionTime: number;
  /** How long the claims of a session count, in milliseconds. Absent: as long as the session. */
  readonly refresh?: number;
  /** Lists the groups of a person, whom the provider gives a link in place of many groups. */
  readonly groupsUrl: string;
  /** Whether the sign-out ends the session at the provider too. */
  readonly signOut: 'gateway' | 'provider';
}

/** The keys that people make for themselves. */
export interface PersonalKeysConfig {
  /** `organization/project` by a value of `oidc.rolesClaim`. `*`: every person with a role. */
  readonly projects: Readonly<Record<string, string>>;
  /** The most valid keys of one person. */
  readonly maxKeys: number;
  /** The longest lifetime of a key, in milliseconds. */
  readonly maxLifetime: number;
  /** Patterns: the most that a key can allow. Empty: all models. */
  readonly models: readonly string[];
  /** Of each key, before the `keyLimits` of its project. */
  readonly limits?: readonly Limit[];
  /** The address that clients use, for the lines that the dashboard shows. */
  readonly url?: string;
}

/** The directory that provisions people and groups by SCIM 2.0. */
export interface ScimConfig {
  /** The bearer token of the directory. */
  readonly token: string;
  /** Which attribute of a user has the value of which claim of the person who signs in. */
  readonly match: { readonly attribute: 'externalId' | 'userName'; readonly claim: string };
  /** Whether people without a user can sign in and use their keys. */
  readonly unknownUsers: 'refuse' | 'allow';
  /** Whether the names of groups count as values of `oidc.rolesClaim`. */
  readonly groupsGiveRoles: boolean;
}
