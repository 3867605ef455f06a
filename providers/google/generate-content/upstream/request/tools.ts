import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { writeSchema } from '../../schema-dialect.ts';
import { WIRE } from '../../shape.ts';
import { writeWebSearch } from '../../web-search.ts';

/** Vendor members of a definition are sent only if the client used this wire. */
const encodeVendor = ({ vendor }: Tool, path: string, wire: string, lose: Lose): JsonObject => {
  if (vendor === undefined || wire === WIRE) return vendor ?? {};
  for (const member of Object.keys(vendor)) lose(`${path}.${member}`, 'dropped', 'generate-content has no such member');
  return {};
};

const CUSTOM_INPUT: JsonObject = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

/** Members with which an object schema is not empty. */
const describing = ['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'] as const;
const isEmpty = (schema: Readonly<JsonObject>): boolean => {
  const { type = 'object', properties = {}, additionalProperties = false } = schema;
  const named = isObject(properties) && Object.keys(properties).length > 0;
  return (
    type === 'object' && !named && additionalProperties === false && !describing.some((member) => member in schema)
  );
};

/**
 * A function without parameters has no schema on this wire. A client of this wire gets its own schema, empty or not.
 */
const encodeSchema = ({ kind, schema }: Tool, wire: string): JsonObject | undefined => {
  if (kind === 'custom') return CUSTOM_INPUT;
  return schema === undefined || (wire !== WIRE && isEmpty(schema)) ? undefined : writeSchema(schema);
};

const encodeDeclaration = (tool: Tool, path: string, wire: string, lose: Lose): JsonObject => {
  const { name, description, strict, cache } = tool;
  if (strict === true) lose(`${path}.strict`, 'dropped', 'generate-content has no strict mode for single functions');
  if (cache !== undefined) lose(`${path}.cache`, 'dropped', 'generate-content has no cache marks');
  return omitUndefined({
    name,
    description,
    parametersJsonSchema: encodeSchema(tool, wire),
    ...encodeVendor(tool, path, wire, lose),
  });
};

/** All functions are in one entry, at the position of the first; each vendor tool is an entry of its own. */
const encodeDeclarations = ({ tools, wire }: GenerateRequest, lose: Lose): readonly JsonObject[] => {
  const functions: JsonObject[] = [];
  const entries: JsonObject[] = [];
  tools.forEach((tool, index) => {
    const path = `tools[${index}]`;
    if (tool.kind === 'hosted') {
      if (wire === WIRE) entries.push({ ...tool.vendor });
      else if (tool.webSearch !== undefined) entries.push(writeWebSearch(tool.webSearch, path, lose));
      else lose(path, 'dropped', `the hosted tool '${tool.name}' runs only at its own vendor`);
      return;
    }
    if (functions.length === 0) entries.push({ functionDeclarations: functions });
    functions.push(encodeDeclaration(tool, path, wire, lose));
  });
  return entries;
};

/**
 * A choice among some tools that is not forced is `VALIDATED`: `AUTO` takes no names.
 * https://ai.google.dev/api/caching#Mode
 */
const encodeChoice = ({ mode, only }: ToolChoice): JsonObject => {
  if (mode === 'none') return { mode: 'NONE' };
  if (mode === 'required') return omitUndefined({ mode: 'ANY', allowedFunctionNames: only });
  return only === undefined ? { mode: 'AUTO' } : { mode: 'VALIDATED', allowedFunctionNames: only };
};

export interface EncodedTools {
  readonly tools?: readonly JsonObject[];
  /** `toolConfig.functionCallingConfig` */
  readonly choice?: JsonObject;
}

/** The choice is one among functions: a search alone can neither be required nor forbidden. */
const hasFunctions = ({ tools, wire }: GenerateRequest, { mode }: ToolChoice, lose: Lose): boolean => {
  if (wire === WIRE || tools.some(({ kind }) => kind !== 'hosted')) return true;
  if (mode !== 'auto') lose('tool_choice', 'dropped', 'generate-content can neither require nor forbid a search');
  return false;
};

/** Encodes definitions and choice. Without tools there is no choice. */
export function encodeTools(request: GenerateRequest, lose: Lose): EncodedTools {
  const { toolChoice, parallelTools, wire } = request;
  const tools = encodeDeclarations(request, lose);
  if (parallelTools === false) lose('parallel_tool_calls', 'dropped', 'generate-content cannot forbid parallel calls');
  if (tools.length === 0 && wire !== WIRE) {
    if (toolChoice !== undefined) lose('tool_choice', 'dropped', 'there are no tools to choose from');
    return {};
  }
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined || !hasFunctions(request, toolChoice, lose)
      ? {}
      : { choice: encodeChoice(toolChoice) }),
  };
}
