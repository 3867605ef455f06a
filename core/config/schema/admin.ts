import type { JsonObject } from '../../canonical/wire.ts';
import type { OidcConfig, PersonalKeysConfig, ScimConfig } from '../admin-config.ts';
import type { GatewayConfig } from '../gateway-config.ts';
import { limits } from './limit.ts';
import { optional, section, setting } from './section.ts';
import { tlsSchema } from './server.ts';

const text = { type: 'string', minLength: 1 };
/** Tokens and codes are sent to these addresses: without TLS only on this machine. */
const url = (path: string, example: string): JsonObject => ({
  type: 'string',
  pattern: `^(https://[^/?#\\s]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?)${path}$`,
  examples: [example],
});

/** https://learn.microsoft.com/graph/api/user-list-transitivememberof */
const GRAPH = 'https://graph.microsoft.com/v1.0/me/transitiveMemberOf/microsoft.graph.group?$select=id&$top=999';

const oidc = section(
  'Sign-in of people by OpenID Connect, beside the token (docs/govern/sign-in.md). Default: with the token only.',
  {
    issuer: setting(
      'The issuer, as in its /.well-known/openid-configuration.',
      url('(/[^?#\\s]*)?', 'https://login.example.com/realms/acme'),
    ),
    clientId: setting('The id of this gateway at the provider.', text),
    clientSecret: setting('Its secret. Empty: a public client.', { type: 'string' }),
    redirectUri: setting(
      'The redirect URI that the provider has for this gateway. ' +
        'Default: /admin/login/callback at the address that the browser uses.',
      url('(/[^?#\\s]*)?/admin/login/callback', 'https://koine.example.com/admin/login/callback'),
    ),
    scopes: setting('The scopes to request; openid is always among them.', {
      type: 'array',
      items: { type: 'string', pattern: '^[!#-\\[\\]-~]+$', examples: ['email'] },
      default: ['openid', 'profile', 'email'],
    }),
    nameClaim: setting(
      'The claim with the name of a person, for the dashboard and the audit log. email counts only if email_verified ' +
        'is true; another claim is used as it is. Without a usable name: sub: and the subject.',
      { ...text, default: 'email' },
    ),
    rolesClaim: setting('The claim whose values are the names in roles. Dots lead into it: realm_access.roles.', {
      ...text,
      default: 'groups',
    }),
    roles: setting(
      'The role by a value of the claim. "*": every person whom the provider signs in. ' +
        'The highest role applies; people without one are refused.',
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: { enum: ['developer', 'viewer', 'editor', 'admin'] },
      },
    ),
    sessionTime: setting(
      'How long a session lasts. Without refresh, a role that changes at the provider applies to the next one.',
      { $ref: '#/definitions/duration', default: '12h' },
    ),
    refresh: setting(
      'How often the claims of a session are read again, with a refresh token: then a role that changes applies, ' +
        'and a person who is removed is signed out. Some providers give one only for the scope offline_access. ' +
        'Default: never.',
      { $ref: '#/definitions/duration', examples: ['15m'] },
    ),
    groupsUrl: setting(
      'Where the groups of a person are read with the access token, if Entra ID leaves them out of the id token: it ' +
        'does for more than 200. The default is that of the global Microsoft Graph, and needs the scope ' +
        'GroupMember.Read.All. Links to further pages are followed at the same address.',
      { ...url('/[^#\\s]*', GRAPH), default: GRAPH },
    ),
    signOut: setting(
      'provider: the sign-out ends the session at the provider too, which needs /admin/login as a post-logout ' +
        'redirect URI. Default: only the session at this gateway ends.',
      { enum: ['gateway', 'provider'], default: 'gateway' },
    ),
  } satisfies Record<keyof OidcConfig, JsonObject>,
  ['issuer', 'clientId', 'roles'],
);

const personalKeys = section(
  'Keys that people who sign in make for themselves (docs/govern/personal-keys.md). Needs oidc. Default: none.',
  {
    projects: setting(
      'The project of the keys, as organization/project, by a value of oidc.rolesClaim. ' +
        '"*": every person with a role. People without a project can make no keys.',
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: {
          type: 'string',
          pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]*/[A-Za-z0-9][A-Za-z0-9._@-]*$',
          examples: ['acme/sandbox'],
        },
      },
    ),
    maxKeys: setting('The most valid keys of one person.', { type: 'integer', minimum: 1, maximum: 100, default: 5 }),
    maxLifetime: setting('The longest lifetime of a key, and the default.', {
      $ref: '#/definitions/duration',
      default: '90d',
    }),
    models: setting(
      'The most that such a key can allow, as ids or patterns (openai/*). A person can allow less. Empty: all models.',
      { type: 'array', items: { type: 'string', minLength: 1 }, default: [] },
    ),
    limits: limits(
      'Limits of each such key, which only operators can change. ' +
        'Default: the keyLimits of its project or organization, or else the top-level limits.',
    ),
    url: setting(
      'The address at which clients reach the gateway, for the lines that the dashboard shows with a key. ' +
        'Default: server.port at the host of the dashboard.',
      { type: 'string', pattern: '^https?://[^?#\\s]*[^/?#\\s]$', examples: ['https://llm.example.com'] },
    ),
  } satisfies Record<keyof PersonalKeysConfig, JsonObject>,
  ['projects'],
);

const scim = section(
  'Provisioning of people and groups by a directory with SCIM 2.0, at /scim/v2 (docs/govern/scim.md). Needs oidc. ' +
    'Default: none.',
  {
    token: setting(
      'The bearer token of the directory, another one than admin.token. ' +
        'On any address other than loopback it must be random and have at least 32 characters.',
      text,
    ),
    match: optional(
      section('How the user of a person who signs in is found.', {
        attribute: setting('The attribute of the user.', { enum: ['externalId', 'userName'], default: 'externalId' }),
        claim: setting('The claim that has its value. People must not be able to change it.', {
          ...text,
          default: 'sub',
        }),
      } satisfies Record<keyof ScimConfig['match'], JsonObject>),
    ),
    unknownUsers: setting(
      'allow: people without a user can sign in and use their keys too, for the time until the directory has ' +
        'provisioned everyone. Default: they are refused.',
      { enum: ['refuse', 'allow'], default: 'refuse' },
    ),
    groupsGiveRoles: setting(
      'Whether the names of the groups of a person count as values of oidc.rolesClaim, beside those of the claim. ' +
        'The holder of the token can then give any role.',
      { type: 'boolean', default: false },
    ),
  } satisfies Record<keyof ScimConfig, JsonObject>,
  ['token'],
);

export const adminSchema = optional(
  section('The listener for operators: dashboard, metrics, health and the admin API.', {
    host: setting('The address to listen on. Any other than loopback requires a token or oidc.', {
      type: 'string',
      minLength: 1,
      default: '127.0.0.1',
    }),
    port: setting('The port to listen on. 0 selects any free port.', { $ref: '#/definitions/port', default: 8788 }),
    token: setting(
      'The bearer token of admin requests. Empty: none is required, unless there is oidc. ' +
        'On any address other than loopback it must be random and have at least 32 characters.',
      { type: 'string' },
    ),
    oidc,
    personalKeys,
    scim,
    auditRetention: setting('How long the entries of the audit log (GET /admin/audit) are kept.', {
      $ref: '#/definitions/duration',
      default: '400d',
    }),
    tls: tlsSchema,
  } satisfies Record<keyof GatewayConfig['admin'], JsonObject>),
);
