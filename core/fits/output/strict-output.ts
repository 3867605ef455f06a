import { isObject } from '../../canonical/json/members.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

/** Keywords that strict mode refuses: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const refused: readonly string[] = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  'prefixItems',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'unevaluatedItems',
];
/** Where schemas stand inside a schema: one, a list, or by name. */
const inner = ['items', 'anyOf', 'properties', '$defs', 'definitions'] as const;

const isClosed = ({ properties, required, additionalProperties }: Readonly<Record<string, unknown>>): boolean => {
  if (additionalProperties !== false) return false;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return names.every((name) => needed.has(name));
};

/** Can strict mode take this schema as it is? Every object must be closed, and have no optional member. */
const isStrictable = (schema: unknown): boolean => {
  if (!isObject(schema) || refused.some((keyword) => keyword in schema)) return false;
  if ((schema['type'] === 'object' || 'properties' in schema) && !isClosed(schema)) return false;
  return inner.every((keyword) => {
    const value = schema[keyword];
    if (value === undefined) return true;
    if (Array.isArray(value)) return value.every(isStrictable);
    return keyword === 'items' ? isStrictable(value) : isObject(value) && Object.values(value).every(isStrictable);
  });
};

/**
 * A client whose wire binds every answer to its schema is given the same where the target must be asked for it, if the target can promise it
 * for this schema; where it cannot, the schema is asked for, and the loss of the promise named.
 */
export const strictOutputFit = defineFit({
  name: 'strict-output',
  applies: ({ traits, capabilities: { schema } }) => traits.schemaNeedsStrict === true && schema !== false,
  fit(request, _profile, { lose, client }) {
    const { output } = request;
    if (output?.type !== 'schema' || output.strict !== undefined || client.schemaNeedsStrict === true) return undefined;
    if (output.schema['type'] === 'object' && isStrictable(output.schema))
      return { request: { ...request, output: { ...output, strict: true } } };
    lose(
      describeField(client, 'output'),
      'approximated',
      'the target follows this schema, but does not promise to: strict mode wants every object closed and every member required',
    );
    return undefined;
  },
});
