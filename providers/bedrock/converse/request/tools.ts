import type { GenerateRequest, JsonObject, Tool } from '../../../../core/api/index.ts';
import type { Lose } from '../../../../core/api/codec.ts';
import { selectTools } from '../../../../core/api/internal.ts';
import { writeCachePoint, type Block, type Message } from '../shape.ts';

const freeText = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

/** The wire requires a schema of type object. */
const encodeSchema = ({ kind, schema }: Tool): JsonObject =>
  kind === 'custom'
    ? freeText
    : { type: 'object', ...(schema?.['type'] === undefined ? { properties: {} } : {}), ...schema };

const encodeTool = (tool: Tool, path: string, lose: Lose): readonly Block[] => {
  const { name, kind, description, strict, cache, vendor = {} } = tool;
  if (kind === 'hosted') {
    lose(path, 'dropped', 'the tool runs only at another vendor');
    return [];
  }
  for (const member of Object.keys(vendor)) lose(`${path}.${member}`, 'dropped', 'bedrock-converse has no such member');
  const spec = {
    name,
    // The vendor refuses an empty description.
    ...(description === undefined || description === '' ? {} : { description }),
    inputSchema: { json: encodeSchema(tool) },
    ...(strict === true ? { strict } : {}),
  };
  return [{ toolSpec: spec }, ...writeCachePoint(cache)];
};

const hasToolBlocks = (messages: readonly Message[]): boolean =>
  messages.some(({ content }) => content.some((block) => 'toolUse' in block || 'toolResult' in block));

const encodeChoice = ({ toolChoice }: GenerateRequest, lose: Lose): JsonObject => {
  if (toolChoice === undefined) return {};
  const { mode, only } = toolChoice;
  if (mode === 'none') {
    lose('tool_choice', 'approximated', 'bedrock-converse cannot forbid calls while the history has some');
    return {};
  }
  if (mode === 'auto') return { toolChoice: { auto: {} } };
  const [forced] = only?.length === 1 ? only : [];
  return { toolChoice: forced === undefined ? { any: {} } : { tool: { name: forced } } };
};

/** `toolConfig`. Without calls in the history, tools that must not be called are not declared: there is no `none`. */
export function encodeTools(request: GenerateRequest, messages: readonly Message[], lose: Lose): JsonObject {
  if (request.parallelTools === false && request.tools.length > 0)
    lose('parallel_tool_calls', 'dropped', 'bedrock-converse cannot forbid parallel calls');
  if (request.toolChoice?.mode === 'none' && !hasToolBlocks(messages)) return {};
  const selected = new Set(selectTools(request, lose));
  const tools = request.tools.flatMap((tool, index) =>
    selected.has(tool) ? encodeTool(tool, `tools[${index}]`, lose) : [],
  );
  return tools.length === 0 ? {} : { toolConfig: { tools, ...encodeChoice(request, lose) } };
}
