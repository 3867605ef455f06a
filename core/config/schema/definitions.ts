import type { JsonObject } from '../../canonical/wire.ts';
import { DURATION_PATTERN } from '../units/duration.ts';
import { SIZE_PATTERN } from '../units/size.ts';
import { limitSchema } from './limit.ts';
import { priceDefinitions } from './price.ts';

/** Definitions that several settings share. */
export const definitions: JsonObject = {
  duration: {
    description: 'A duration: a number with ms, s, m, h or d.',
    type: 'string',
    pattern: DURATION_PATTERN,
    examples: ['250ms', '30s', '5m'],
  },
  size: {
    description: 'A size: a number with b, kb, mb or gb. 1 mb is 1,048,576 bytes.',
    type: 'string',
    pattern: SIZE_PATTERN,
    examples: ['512kb', '32mb'],
  },
  name: {
    description: 'A name of letters, digits and . _ @ -',
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]*$',
    examples: ['acme', 'web-1'],
  },
  modelId: {
    description: 'The id of a model: <provider>/<name>.',
    type: 'string',
    pattern: '^[^/\\s]+/[^\\s]*[^/\\s]$',
    examples: ['openai/gpt-4.1'],
  },
  alias: { description: 'Another name for a model.', type: 'string', pattern: '^\\S+$', examples: ['fast'] },
  pem: {
    description:
      'A PEM file, read again when it changes; a relative path is relative to this file. Or the text itself, e.g. by ' +
      '"${file:/run/secrets/key.pem}".',
    type: 'string',
    minLength: 1,
    examples: ['certs/ca.pem'],
  },
  limit: limitSchema,
  ...priceDefinitions,
  port: { description: 'A TCP port. 0 selects any free port.', type: 'integer', minimum: 0, maximum: 65535 },
};
