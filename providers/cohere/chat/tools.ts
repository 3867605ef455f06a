import type { GenerateRequest, JsonObject, Tool } from '../../../core/api/index.ts';
import { omitUndefined, type Lose } from '../../../core/api/codec.ts';

const encodeTool = ({ name, description, schema }: Tool): JsonObject => ({
  type: 'function',
  function: omitUndefined({ name, description, parameters: schema ?? { type: 'object', properties: {} } }),
});

function loseOfTool({ kind, cache, vendor }: Tool, place: string, lose: Lose): void {
  if (kind === 'hosted') lose(place, 'dropped', 'the tool runs only at its own vendor');
  if (cache?.ttl !== undefined) lose(`${place}.cache`, 'dropped', 'the vendor caches prompts by itself');
  for (const member of Object.keys(vendor ?? {}))
    lose(`${place}.${member}`, 'dropped', 'the vendor has no such member');
}

/** `strict_tools` is for all tools of a request: it is set if each of them asks for it. */
function encodeStrict(tools: readonly Tool[], lose: Lose): true | undefined {
  const strict = tools.filter((tool) => tool.strict === true);
  if (strict.length === tools.length) return true;
  if (strict.length > 0) lose('tools.strict', 'dropped', 'the vendor is strict with all tools or with none');
  return undefined;
}

/** A call can be required or forbidden, but not chosen: where the request names tools, only these are offered. */
export function encodeTools({ tools, toolChoice, parallelTools }: GenerateRequest, lose: Lose): JsonObject {
  for (const [index, tool] of tools.entries()) loseOfTool(tool, `tools[${index}]`, lose);
  const only = toolChoice?.only;
  const functions = tools.filter(({ kind }) => kind !== 'hosted');
  const offered = only === undefined ? functions : functions.filter(({ name }) => only.includes(name));
  if (offered.length === 0) return {};
  if (offered.length < functions.length) lose('tool_choice', 'approximated', 'only the named tools are sent');
  if (parallelTools !== undefined) lose('parallel_tool_calls', 'dropped', 'the vendor has no such member');
  const mode = toolChoice?.mode;
  return omitUndefined({
    tools: offered.map(encodeTool),
    strict_tools: encodeStrict(offered, lose),
    tool_choice: mode === 'required' ? 'REQUIRED' : mode === 'none' ? 'NONE' : undefined,
  });
}
