import type { JsonObject } from '../../canonical/wire.ts';
import { EXPIRY_PATTERN } from '../units/expiry.ts';
import type { KeyConfig, OrganizationConfig, ProjectConfig } from '../gateway-config.ts';
import { limits } from './limit.ts';
import { namedEntries, section, setting } from './section.ts';

/** The settings of a key. */
export const keySettings = {
  key: setting('The secret itself, best by a variable: "${ALICE_KEY}".', { type: 'string', minLength: 1 }),
  sha256: setting('The SHA-256 of the secret in hexadecimal, so that the secret need not be known here.', {
    type: 'string',
    pattern: '^[0-9a-fA-F]{64}$',
    examples: ['64 hexadecimal digits'],
  }),
  models: setting('The models the key may use, as ids or patterns (openai/*). Empty: all.', {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    default: [],
  }),
  losses: setting(
    'What happens to requests that a translation would take something from, as on routes. ' +
      "The stricter of the key's word and the route's holds. Left out: the route's.",
    {
      enum: ['allow', 'warn', 'reject'],
    },
  ),
  vendorState: setting(
    'allow: requests may refer to what is kept at a provider (previous_response_id, file ids, caches, ' +
      'containers), whichever caller it is of. Allowed where the key or the route says so. Left out: ' +
      "the route's word.",
    {
      enum: ['allow', 'refuse'],
    },
  ),
  limits: limits(
    'Limits of this key. Left out: what its project, its organization or else the gateway gives each key. ' +
      'An empty list: none.',
  ),
  disabled: setting('true: the key is refused.', { type: 'boolean', default: false }),
  expires: setting('The key is refused from this moment on (UTC where no zone is given). Left out: it never expires.', {
    type: 'string',
    pattern: EXPIRY_PATTERN,
    examples: ['2027-01-31', '2027-01-31T12:00:00Z'],
  }),
} satisfies Record<keyof KeyConfig, JsonObject>;
const key = section('An API key. Give key or sha256, not both.', keySettings);

const project = section('A project of the organization.', {
  limits: { ...limits('Limits that the whole project shares.'), default: [] },
  keyLimits: limits('What each key of the project gets. Left out: what the organization or else the gateway gives it.'),
  keys: namedEntries('API keys by name. The name, never the secret, appears in logs.', key),
} satisfies Record<keyof ProjectConfig, JsonObject>);

export const organizationSchema = section('An organization.', {
  limits: { ...limits('Limits that the whole organization shares.'), default: [] },
  keyLimits: limits('What each key of the organization gets. Left out: what the gateway gives it.'),
  projects: namedEntries('Projects by name.', project),
} satisfies Record<keyof OrganizationConfig, JsonObject>);
