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
/** Members of a schema that contain schemas: one, a list, or by name. */
const inner = ['items', 'anyOf', 'properties', '$defs', 'definitions'] as const;

const isClosed = ({ properties, required, additionalProperties }: Readonly<Record<string, unknown>>): boolean => {
  if (additionalProperties !== false) return false;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return names.every((name) => needed.has(name));
};

/** Whether strict mode accepts this schema. Every object must be closed, and every member required. */
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
 * For clients whose wire always enforces a schema, at targets that enforce it in strict mode only: requests strict mode
 * if it supports the schema. Otherwise the schema is sent without enforcement, which is a loss.
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
      'the schema is sent, but not enforced: strict mode requires every object to be closed and every ' +
        'member required',
    );
    return undefined;
  },
});
