import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { writeSchema } from '../../../generate-content/schema-dialect.ts';
import { WIRE } from '../../shape.ts';
import { writeWebSearch } from '../../web-search.ts';

const CUSTOM_INPUT: JsonObject = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

/** Vendor members of a definition are sent only if the client used this wire. */
const encodeVendor = ({ vendor }: Tool, path: string, wire: string, lose: Lose): JsonObject => {
  if (vendor === undefined || wire === WIRE) return vendor ?? {};
  for (const member of Object.keys(vendor)) lose(`${path}.${member}`, 'dropped', 'interactions has no such member');
  return {};
};

const encodeFunction = (tool: Tool, path: string, wire: string, lose: Lose): JsonObject => {
  const { name, kind, description, schema, strict, cache } = tool;
  if (strict === true) lose(`${path}.strict`, 'dropped', 'interactions has no strict mode for single functions');
  if (cache !== undefined) lose(`${path}.cache`, 'dropped', 'interactions has no cache marks');
  return omitUndefined({
    type: 'function',
    name,
    description,
    parameters: kind === 'custom' ? CUSTOM_INPUT : schema === undefined ? undefined : writeSchema(schema),
    ...encodeVendor(tool, path, wire, lose),
  });
};

const encodeDefinitions = ({ tools, wire }: GenerateRequest, lose: Lose): readonly JsonObject[] =>
  tools.flatMap((tool, index): readonly JsonObject[] => {
    const path = `tools[${index}]`;
    if (tool.kind !== 'hosted') return [encodeFunction(tool, path, wire, lose)];
    if (wire === WIRE) return [{ ...tool.vendor }];
    if (tool.webSearch !== undefined) return [writeWebSearch(tool.webSearch, path, lose)];
    lose(path, 'dropped', `the hosted tool '${tool.name}' runs only at its own vendor`);
    return [];
  });

/** A choice among some tools that is not forced is `validated`: `auto` takes no names. */
const encodeChoice = ({ mode, only }: ToolChoice): unknown => {
  if (mode === 'none') return 'none';
  if (only !== undefined) return { allowed_tools: { mode: mode === 'required' ? 'any' : 'validated', tools: only } };
  return mode === 'required' ? 'any' : 'auto';
};

export interface EncodedTools {
  readonly tools?: readonly JsonObject[];
  /** `generation_config.tool_choice` */
  readonly choice?: unknown;
}

/** The choice is one among functions: a search alone can neither be required nor forbidden. */
const hasFunctions = ({ tools, wire }: GenerateRequest, { mode }: ToolChoice, lose: Lose): boolean => {
  if (wire === WIRE || tools.some(({ kind }) => kind !== 'hosted')) return true;
  if (mode !== 'auto') lose('tool_choice', 'dropped', 'interactions can neither require nor forbid a search');
  return false;
};

/** Definitions and choice. Without tools there is no choice. */
export function encodeTools(request: GenerateRequest, lose: Lose): EncodedTools {
  const { toolChoice, parallelTools, wire } = request;
  const tools = encodeDefinitions(request, lose);
  if (parallelTools === false) lose('parallel_tool_calls', 'dropped', 'interactions cannot forbid parallel calls');
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
