import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';
import { selectTools } from '../../../../../core/api/internal.ts';
import { writeCacheMark } from '../../cache-mark.ts';
import { WIRE } from '../../shape.ts';
import { writeWebSearch } from '../../web-search.ts';

/** The wire requires a schema of type object. */
const encodeSchema = (schema: Tool['schema']): JsonObject => ({
  type: 'object',
  ...(schema?.['type'] === undefined ? { properties: {} } : {}),
  ...schema,
});

/** Vendor members of a definition are sent only if the client used this wire. */
const encodeVendor = ({ vendor }: Tool, path: string, wire: string, lose: Lose): JsonObject => {
  if (vendor === undefined || wire === WIRE) return vendor ?? {};
  for (const member of Object.keys(vendor)) lose(`${path}.${member}`, 'dropped', 'messages has no such member');
  return {};
};

const encodeTool = (tool: Tool, path: string, wire: string, lose: Lose): readonly JsonObject[] => {
  const { name, kind, description, schema, strict, cache, vendorType, namespace } = tool;
  const common = { ...(tool.deferred === true ? { defer_loading: true } : {}), ...writeCacheMark(cache) };
  if (kind === 'hosted') {
    if (wire === WIRE) return [{ ...tool.vendor, ...common }];
    if (tool.webSearch !== undefined) return [writeWebSearch(tool.webSearch, path, lose)];
    lose(path, 'dropped', 'the tool runs only at another vendor');
    return [];
  }
  const isToolset = vendorType !== undefined && namespace !== undefined;
  const own = {
    ...encodeVendor(tool, path, wire, lose),
    ...(isToolset ? {} : { name }),
    ...(strict === true ? { strict } : {}),
    ...common,
  };
  if (vendorType !== undefined && wire === WIRE) return [{ type: vendorType, ...own }];
  return [
    {
      ...own,
      ...(description === undefined ? {} : { description }),
      input_schema:
        kind === 'custom'
          ? { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
          : encodeSchema(schema),
    },
  ];
};

const typeOf: Readonly<Record<ToolChoice['mode'], string>> = { auto: 'auto', required: 'any', none: 'none' };

const encodeChoice = ({ toolChoice, parallelTools }: GenerateRequest): JsonObject => {
  if (toolChoice === undefined && parallelTools !== false) return {};
  const { mode, only } = toolChoice ?? { mode: 'auto' };
  const [forced] = mode === 'required' && only?.length === 1 ? only : [];
  const choice = forced === undefined ? { type: typeOf[mode] } : { type: 'tool', name: forced };
  return {
    tool_choice: {
      ...choice,
      ...(parallelTools === false && mode !== 'none' ? { disable_parallel_tool_use: true } : {}),
    },
  };
};

/** `tools` and `tool_choice`. The wire rejects a choice without tools. */
export function encodeTools(request: GenerateRequest, lose: Lose): JsonObject {
  const selected = new Set(selectTools(request, lose));
  const tools = request.tools.flatMap((tool, index) =>
    tool.inline === true || !selected.has(tool) ? [] : encodeTool(tool, `tools[${index}]`, request.wire, lose),
  );
  return tools.length === 0 ? {} : { tools, ...encodeChoice(request) };
}
