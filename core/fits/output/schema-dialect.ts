import type { Tool } from '../../canonical/tool.ts';
import type { GenerateRequest, OutputFormat } from '../../canonical/request.ts';
import type { SchemaDialect, SchemaDialects } from '../../canonical/schema/dialect.ts';
import { writeInDialect } from '../../canonical/schema/write-schema.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { rewriteList } from '../support/rewrite-parts.ts';

type SchemaOutput = Extract<OutputFormat, { type: 'schema' }>;

/** The dialect in which the target enforces this format; undefined if it does not, or accepts every schema. */
export const dialectOfOutput = (
  output: SchemaOutput,
  { schemas, schemaNeedsStrict }: WireTraits,
): SchemaDialect | undefined => (schemaNeedsStrict === true && output.strict !== true ? undefined : schemas?.output);

const describeMoves = (moved: readonly string[]): string =>
  `the target does not take all of the schema; described or adapted: ${moved.join(', ')}`;

const fitOutput = (request: GenerateRequest, traits: WireTraits, { lose, client }: FitContext): GenerateRequest => {
  const { output } = request;
  const dialect = output?.type === 'schema' ? dialectOfOutput(output, traits) : undefined;
  if (output?.type !== 'schema' || dialect === undefined) return request;
  const { schema, moved, obstacle } = writeInDialect(output.schema, dialect);
  const field = describeField(client, 'output');
  if (obstacle !== undefined && traits.schemaNeedsStrict === true) {
    lose(field, 'approximated', `the schema is sent, but not enforced: it has ${obstacle}`);
    return { ...request, output: { ...output, strict: false } };
  }
  if (moved.length === 0) return request;
  lose(field, 'approximated', describeMoves(moved));
  return { ...request, output: { ...output, schema } };
};

const fitTool = (tool: Tool, schemas: SchemaDialects, lose: (detail: string) => void): Tool => {
  const { kind, schema, strict, name } = tool;
  const dialect = strict === true ? schemas.strictTools : schemas.tools;
  if (kind !== 'function' || schema === undefined || dialect === undefined) return tool;
  const { schema: written, moved, obstacle } = writeInDialect(schema, dialect);
  if (obstacle !== undefined) {
    lose(`'${name}' is not strict: its schema has ${obstacle}`);
    return fitTool({ ...tool, strict: false }, schemas, lose);
  }
  if (moved.length === 0) return tool;
  lose(`'${name}': ${describeMoves(moved)}`);
  return { ...tool, schema: written };
};

/**
 * Schemas in the dialect of the target's wire (`schemas` of its traits). What the target refuses is moved to the
 * descriptions; a tool or a format that it cannot enforce at all is sent without enforcement.
 */
export const schemaDialectFit = defineFit({
  name: 'schema-dialect',
  applies: ({ traits: { schemas } }) => schemas !== undefined,
  fit(request, { wire, traits }, context) {
    const { schemas } = traits;
    if (request.wire === wire || schemas === undefined || schemas === context.client.schemas) return undefined;
    const field = describeField(context.client, 'tools');
    const tools = rewriteList(request.tools, (tool) =>
      fitTool(tool, schemas, (detail) => context.lose(field, 'approximated', detail)),
    );
    const fitted = fitOutput(request, traits, context);
    return fitted === request && tools === request.tools ? undefined : { request: { ...fitted, tools } };
  },
});
