import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { composeTools, CUSTOM_INPUT, encodeHosted, encodeVendor, type EncodedTools } from '../../../compose-tools.ts';
import { writeSchema } from '../../../generate-content/schema-dialect.ts';
import { WIRE } from '../../shape.ts';
import { SEARCH_TYPE } from '../../web-search.ts';

const encodeFunction = (tool: Tool, path: string, wire: string, lose: Lose): JsonObject => {
  const { name, kind, description, schema } = tool;
  return omitUndefined({
    type: 'function',
    name,
    description,
    parameters: kind === 'custom' ? CUSTOM_INPUT : schema === undefined ? undefined : writeSchema(schema),
    ...encodeVendor(tool, path, { wire, own: WIRE, lose }),
  });
};

const encodeDefinitions = ({ tools, wire }: GenerateRequest, lose: Lose): readonly JsonObject[] =>
  tools.flatMap((tool, index): readonly JsonObject[] => {
    const path = `tools[${index}]`;
    return tool.kind === 'hosted'
      ? encodeHosted(tool, path, { wire, own: WIRE, lose }, { type: SEARCH_TYPE })
      : [encodeFunction(tool, path, wire, lose)];
  });

/** A choice among some tools that is not forced is `validated`: `auto` takes no names. */
const encodeChoice = ({ mode, only }: ToolChoice): unknown => {
  if (mode === 'none') return 'none';
  if (only !== undefined) return { allowed_tools: { mode: mode === 'required' ? 'any' : 'validated', tools: only } };
  return mode === 'required' ? 'any' : 'auto';
};

/** `tools`, and `generation_config.tool_choice` as `choice`. */
export const encodeTools = (request: GenerateRequest, lose: Lose): EncodedTools<unknown> =>
  composeTools(request, WIRE, encodeDefinitions(request, lose), encodeChoice, lose);
