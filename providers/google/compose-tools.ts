import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../core/api/index.ts';
import type { Lose } from '../../core/api/codec.ts';

/** The input of a custom tool, which Google's wires have as a function. */
export const CUSTOM_INPUT: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

/** Names what a function of Google's wires cannot have. Vendor members are sent only if the client used the wire. */
export const encodeVendor = (
  { vendor, strict, cache }: Tool,
  path: string,
  { wire, own, lose }: { readonly wire: string; readonly own: string; readonly lose: Lose },
): JsonObject => {
  if (strict === true) lose(`${path}.strict`, 'dropped', `${own} has no strict mode for single functions`);
  if (cache !== undefined) lose(`${path}.cache`, 'dropped', `${own} has no cache marks`);
  if (vendor === undefined || wire === own) return vendor ?? {};
  for (const member of Object.keys(vendor)) lose(`${path}.${member}`, 'dropped', `${own} has no such member`);
  return {};
};

/** A tool that runs at its vendor. @param search the one that Google searches with, without settings */
export function encodeHosted(
  { name, vendor, webSearch }: Tool,
  path: string,
  { wire, own, lose }: { readonly wire: string; readonly own: string; readonly lose: Lose },
  search: JsonObject,
): readonly JsonObject[] {
  if (wire === own) return [{ ...vendor }];
  if (webSearch === undefined) {
    lose(path, 'dropped', `the hosted tool '${name}' runs only at its own vendor`);
    return [];
  }
  const { other: _other, ...settings } = webSearch;
  if (Object.keys(settings).length > 0)
    lose(path, 'approximated', 'Google limits neither the domains, the location nor the number of searches');
  return [search];
}

export interface EncodedTools<Choice> {
  readonly tools?: readonly JsonObject[];
  readonly choice?: Choice;
}

/** The choice is one among functions: a search alone can neither be required nor forbidden. */
const hasFunctions = ({ tools, wire }: GenerateRequest, { mode }: ToolChoice, own: string, lose: Lose): boolean => {
  if (wire === own || tools.some(({ kind }) => kind !== 'hosted')) return true;
  if (mode !== 'auto') lose('tool_choice', 'dropped', `${own} can neither require nor forbid a search`);
  return false;
};

/**
 * Definitions and choice on a wire of Google. Without tools there is no choice.
 * @param own the wire
 */
export function composeTools<Choice>(
  request: GenerateRequest,
  own: string,
  tools: readonly JsonObject[],
  encodeChoice: (choice: ToolChoice) => Choice,
  lose: Lose,
): EncodedTools<Choice> {
  const { toolChoice, parallelTools, wire } = request;
  if (parallelTools === false) lose('parallel_tool_calls', 'dropped', `${own} cannot forbid parallel calls`);
  if (tools.length === 0 && wire !== own) {
    if (toolChoice !== undefined) lose('tool_choice', 'dropped', 'there are no tools to choose from');
    return {};
  }
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined || !hasFunctions(request, toolChoice, own, lose)
      ? {}
      : { choice: encodeChoice(toolChoice) }),
  };
}
