import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GenerateRequest, OutputFormat } from '../../canonical/request.ts';
import type { Tool } from '../../canonical/tool.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { createUniqueName } from '../tools/unique-name.ts';

type SchemaOutput = Extract<OutputFormat, { type: 'schema' }>;

/** The names of declared tools and of calls in the history. */
const collectNames = ({ tools, turns }: GenerateRequest): ReadonlySet<string> => {
  const names = new Set(tools.map(({ name }) => name));
  for (const { parts } of turns) for (const part of parts) if (part.type === 'tool-call') names.add(part.name);
  return names;
};

/**
 * The input schema of a tool must be an object: a schema of type object, or one that describes an object without a
 * type.
 */
const asObjectSchema = (schema: Readonly<JsonObject>): Readonly<JsonObject> | undefined => {
  if (schema['type'] === 'object') return schema;
  return schema['type'] === undefined && schema['properties'] !== undefined ? { type: 'object', ...schema } : undefined;
};

/** Creates the hidden tool whose arguments are the answer; undefined if the schema is not one of an object. */
export function createJsonTool(
  { schema, description, strict }: SchemaOutput,
  request: GenerateRequest,
  pattern: RegExp | undefined,
): Tool | undefined {
  const objectSchema = asObjectSchema(schema);
  if (objectSchema === undefined) return undefined;
  const taken = collectNames(request);
  return omitUndefined<Tool>({
    name: createUniqueName('json', (name) => !taken.has(name) && pattern?.test(name) !== false),
    kind: 'function',
    description: description ?? 'Gives the final answer. Its arguments are the answer.',
    schema: objectSchema,
    strict,
  });
}
