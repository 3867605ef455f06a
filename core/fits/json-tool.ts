import type { GenerateRequest, OutputFormat } from '../canonical/request.ts';
import type { Tool } from '../canonical/tool.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { createUniqueName } from './unique-name.ts';

type SchemaOutput = Extract<OutputFormat, { type: 'schema' }>;

const isTaken = ({ tools, turns }: GenerateRequest, name: string): boolean =>
  tools.some((tool) => tool.name === name) || turns.some(({ parts }) => parts.some((part) => part.type === 'tool-call' && part.name === name));

/** A tool takes an object: a schema that says so, or that describes one without saying it. */
const asObjectSchema = (schema: Readonly<JsonObject>): Readonly<JsonObject> | undefined => {
  if (schema['type'] === 'object') return schema;
  return schema['type'] === undefined && schema['properties'] !== undefined ? { type: 'object', ...schema } : undefined;
};

/** The hidden tool whose arguments are the answer. `undefined` when the schema is not one of an object, which no tool takes. */
export const createJsonTool = ({ schema, description, strict }: SchemaOutput, request: GenerateRequest, pattern: RegExp | undefined): Tool | undefined => {
  const objectSchema = asObjectSchema(schema);
  if (objectSchema === undefined) return undefined;
  return {
    name: createUniqueName('json', (name) => !isTaken(request, name) && pattern?.test(name) !== false),
    kind: 'function',
    description: description ?? 'Gives the final answer. Its arguments are the answer.',
    schema: objectSchema,
    ...(strict === undefined ? {} : { strict }),
  };
};
