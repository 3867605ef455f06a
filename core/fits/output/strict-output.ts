import { writeInDialect } from '../../canonical/schema/write-schema.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { SchemaDialect } from '../../canonical/schema/dialect.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

/** Whether strict mode accepts this schema as it is. */
const isStrictable = (schema: Readonly<JsonObject>, dialect: SchemaDialect): boolean => {
  const { moved, obstacle } = writeInDialect(schema, dialect);
  return schema['type'] === 'object' && moved.length === 0 && obstacle === undefined;
};

/**
 * For clients whose wire always enforces a schema, at targets that enforce it in strict mode only: requests strict mode
 * if it supports the schema. Otherwise the schema is sent without enforcement, which is a loss.
 */
export const strictOutputFit = defineFit({
  name: 'strict-output',
  applies: ({ traits, capabilities: { schema } }) => traits.schemaNeedsStrict === true && schema !== false,
  fit(request, { traits: { schemas } }, { lose, client }) {
    const { output } = request;
    if (output?.type !== 'schema' || output.strict !== undefined || client.schemaNeedsStrict === true) return undefined;
    if (isStrictable(output.schema, schemas?.output ?? {}))
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
