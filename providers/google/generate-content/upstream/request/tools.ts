import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { composeTools, CUSTOM_INPUT, encodeHosted, encodeVendor, type EncodedTools } from '../../../compose-tools.ts';
import { writeSchema } from '../../schema-dialect.ts';
import { WIRE } from '../../shape.ts';

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

const encodeDeclaration = (tool: Tool, path: string, wire: string, lose: Lose): JsonObject =>
  omitUndefined({
    name: tool.name,
    description: tool.description,
    parametersJsonSchema: encodeSchema(tool, wire),
    ...encodeVendor(tool, path, { wire, own: WIRE, lose }),
  });

/** All functions are in one entry, at the position of the first; each vendor tool is an entry of its own. */
const encodeDeclarations = ({ tools, wire }: GenerateRequest, lose: Lose): readonly JsonObject[] => {
  const functions: JsonObject[] = [];
  const entries: JsonObject[] = [];
  tools.forEach((tool, index) => {
    const path = `tools[${index}]`;
    if (tool.kind === 'hosted') {
      entries.push(...encodeHosted(tool, path, { wire, own: WIRE, lose }, { googleSearch: {} }));
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

/** `tools`, and `toolConfig.functionCallingConfig` as `choice`. */
export const encodeTools = (request: GenerateRequest, lose: Lose): EncodedTools<JsonObject> =>
  composeTools(request, WIRE, encodeDeclarations(request, lose), encodeChoice, lose);
