import type { JsonObject } from '../../core/api/index.ts';
import { duration } from '../shared/settings.ts';

/** Keys are fetched from these addresses: without TLS only on this machine. */
const url = (description: string, example: string): JsonObject => ({
  description,
  type: 'string',
  pattern: '^(https://[^/?#\\s]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?)(/[^#\\s]*)?$',
  examples: [example],
});
const claim = (description: string): JsonObject => ({ description, type: 'string', minLength: 1 });
const name = (description: string): JsonObject => ({
  description,
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$',
  examples: ['acme'],
});

const claims: JsonObject = {
  description:
    'The claims of a token that name its caller. Dots lead into nested claims. A token without one of these claims ' +
    'is refused, unless defaults has a value.',
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    key: { ...claim('The name of the key, for limits, the ledger and the log.'), default: 'sub' },
    organization: claim('The organization. Default: none; all tokens belong to defaults.organization.'),
    project: claim('The project. Default: none; all tokens belong to defaults.project.'),
    user: {
      description:
        'The end user, who replaces the one that a request names. false: the request names the user, for tokens of ' +
        'applications. Default: the subject of the token.',
      anyOf: [{ type: 'string', minLength: 1 }, { const: false }],
      examples: ['email'],
    },
    models: claim('Patterns of models: a list, or text with spaces. Default: those of defaults.models.'),
    limits: claim('Limits of the key, as in gateway.yaml. Default: those of defaults.limits.'),
  },
};

const defaults: JsonObject = {
  description: 'Values for tokens without the claim. Default: each as described.',
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    organization: name('The organization. Default: default, if no claim is configured.'),
    project: name('The project. Default: default, if no claim is configured.'),
    models: {
      description: 'Patterns of models. Default: all models, if no claim is configured.',
      type: 'array',
      minItems: 1,
      items: { type: 'string', minLength: 1 },
    },
    limits: {
      description: 'Limits of each key. Default: the keyLimits of its project, if no claim is configured.',
      type: 'array',
      items: { type: 'object' },
    },
  },
};

export const schema: JsonObject = {
  type: 'object',
  description: 'Identifies callers by signed tokens (JWT) of an issuer.',
  additionalProperties: false,
  required: ['issuer', 'audience'],
  properties: {
    issuer: url('The issuer, exactly as in the claim iss.', 'https://login.example.com/realms/acme'),
    audience: {
      description: 'The claim aud must have this value, or one of these values.',
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      ],
    },
    jwksUri: url(
      'Where the keys of the issuer are. Default: as its /.well-known/openid-configuration says.',
      'https://login.example.com/realms/acme/protocol/openid-connect/certs',
    ),
    algorithms: {
      description: 'The algorithms of signatures that are accepted.',
      type: 'array',
      minItems: 1,
      items: {
        enum: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
      },
      default: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
    },
    clockSkew: duration('By how much the clocks of issuer and gateway can differ, at most 5m.', '30s', ['30s', '1m']),
    claims,
    defaults,
  },
};
