import type { JsonObject } from '../../canonical/wire.ts';
import { EXPIRY_PATTERN } from '../units/expiry.ts';
import type { KeyConfig, OrganizationConfig, ProjectConfig } from '../gateway-config.ts';
import { MAX_TAGS, TAG_NAME, TAG_VALUE } from '../units/tags.ts';
import { hostedToolsSetting } from './hosted-tools.ts';
import { limits } from './limit.ts';
import { namedEntries, section, setting } from './section.ts';

const tags = (description: string): JsonObject =>
  setting(`${description} They are in the ledger, the access log and usage reports. Default: none.`, {
    type: 'object',
    propertyNames: { type: 'string', pattern: TAG_NAME.source, examples: ['team'] },
    additionalProperties: { type: 'string', pattern: TAG_VALUE.source, examples: ['search'] },
    maxProperties: MAX_TAGS,
    examples: [{ team: 'search', env: 'prod' }],
  });

export const keySettings = {
  key: setting('The secret itself, preferably from a variable: "${ALICE_KEY}".', { type: 'string', minLength: 1 }),
  sha256: setting('The SHA-256 of the secret in hexadecimal, so that the file does not contain the secret.', {
    type: 'string',
    pattern: '^[0-9a-fA-F]{64}$',
    examples: ['64 hexadecimal digits'],
  }),
  models: setting('Models that the key can use, as ids or patterns (openai/*). Empty: all models.', {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    default: [],
  }),
  losses: setting(
    'What to do when the translation of a request would lose something, as on routes. ' +
      'The stricter setting of key and route applies. Default: the setting of the route.',
    { enum: ['allow', 'warn', 'reject'] },
  ),
  vendorState: setting(
    'Whether requests can refer to objects stored at a provider (previous_response_id, file ids, caches, ' +
      'containers), as on routes. It is enough that the key or the route allows it; else it is enough that one of ' +
      'them refuses it. Default: the setting of the route.',
    { enum: ['allow', 'owned', 'refuse'] },
  ),
  costHeaders: setting(
    'on: responses to this key show what they cost, in x-koine-cost and x-koine-usage. off: they do not. ' +
      'Default: the setting of the route.',
    { enum: ['off', 'on'] },
  ),
  hostedTools: hostedToolsSetting('Default of the policy: the setting of the project.'),
  limits: limits(
    'Limits of this key. Default: the keyLimits of its project or organization, or else the top-level limits. ' +
      'An empty list: no limits.',
  ),
  tags: tags('Tags of the requests of this key. They replace those of its project by name.'),
  disabled: setting('true: the key is refused.', { type: 'boolean', default: false }),
  expires: setting(
    'The time from which the key is refused, in UTC unless it has a zone. Default: the key never expires.',
    { type: 'string', pattern: EXPIRY_PATTERN, examples: ['2027-01-31', '2027-01-31T12:00:00Z'] },
  ),
} satisfies Record<keyof KeyConfig, JsonObject>;
const key = section('An API key. Give key or sha256, not both.', keySettings);

const project = section('A project of the organization.', {
  limits: { ...limits('Limits that all keys of the project share.'), default: [] },
  keyLimits: limits(
    'Limits of each key of the project. Default: the keyLimits of the organization, or else the top-level limits.',
  ),
  hostedTools: hostedToolsSetting('Default of the policy: the setting of the organization.'),
  tags: tags('Tags of the requests of all keys of the project.'),
  keys: namedEntries('API keys by name. Logs contain the name, never the secret.', key),
} satisfies Record<keyof ProjectConfig, JsonObject>);

export const organizationSchema = section('An organization.', {
  limits: { ...limits('Limits that all keys of the organization share.'), default: [] },
  keyLimits: limits('Limits of each key of the organization. Default: the top-level limits.'),
  hostedTools: hostedToolsSetting('Default of the policy: the setting of the route.'),
  projects: namedEntries('Projects by name.', project),
} satisfies Record<keyof OrganizationConfig, JsonObject>);
