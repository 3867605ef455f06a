import type { GenerateRequest, JsonObject, Tool, ToolChoice } from '../../../../../core/api/index.ts';
import { omitUndefined, readObject, readText } from '../../../../../core/api/codec.ts';
import { findTool } from '../../../../../core/api/internal.ts';
import { NAMESPACE_DESCRIPTION, readNamespaceDescription, readToolName } from '../../namespaces.ts';
import { readForm } from '../../request-form.ts';
import { WIRE } from '../../shape.ts';
import { isLoaded } from '../request/loaded-tools.ts';

const encodeTool = (tool: Tool): JsonObject => {
  if (tool.vendorType !== undefined) return { type: tool.vendorType, ...tool.vendor };
  const { [NAMESPACE_DESCRIPTION]: _description, ...vendor } = tool.vendor ?? {};
  const { description, schema, strict } = tool;
  const head = { type: tool.kind, name: readToolName(tool).name };
  if (tool.kind !== 'function') return { ...head, ...omitUndefined({ description }), ...vendor };
  const shape = { description: description ?? null, parameters: schema ?? null, strict: strict ?? null };
  return { ...head, ...shape, ...vendor };
};

interface Group {
  readonly namespace: string;
  readonly description: string;
  readonly tools: JsonObject[];
}

/** Groups neighbouring tools of one namespace. */
const groupTools = (tools: readonly Tool[]): readonly Group[] => {
  const groups: Group[] = [];
  for (const tool of tools) {
    const namespace = tool.kind === 'hosted' ? '' : readToolName(tool).namespace;
    const written = tool.kind === 'hosted' ? (tool.vendor ?? { type: tool.name }) : encodeTool(tool);
    const last = groups.at(-1);
    if (last?.namespace === namespace) last.tools.push(written);
    else groups.push({ namespace, description: readNamespaceDescription(tool), tools: [written] });
  }
  return groups;
};

/** The tools as the client declared them. */
const echoTools = (tools: readonly Tool[]): readonly JsonObject[] =>
  groupTools(tools.filter((tool) => !isLoaded(tool))).flatMap(({ namespace, ...group }) =>
    namespace === '' ? group.tools : [{ type: 'namespace', name: namespace, ...group }],
  );

const nameTool = (tools: readonly Tool[], wanted: string): JsonObject => {
  const tool = findTool(tools, wanted);
  if (tool?.kind === 'hosted') return { type: readText(tool.vendor?.['type']) || wanted };
  if (tool === undefined) return { type: 'function', name: wanted };
  if (tool.vendorType !== undefined) return { type: tool.vendorType };
  const { name, namespace } = readToolName(tool);
  return { type: tool.kind, name, ...(namespace === '' ? {} : { namespace }) };
};

/** `tool_choice` as this wire writes it. The vendor's default is `auto`. */
function echoToolChoice(choice: ToolChoice | undefined, tools: readonly Tool[]): string | JsonObject {
  if (choice?.only === undefined) return choice?.mode ?? 'auto';
  const named = choice.only.map((name) => nameTool(tools, name));
  const [first] = named;
  return first !== undefined && named.length === 1 && choice.mode === 'required'
    ? first
    : { type: 'allowed_tools', mode: choice.mode, tools: named };
}

/** Members of the request that the response repeats unchanged. */
const echoedMembers = [
  'max_tool_calls',
  'presence_penalty',
  'frequency_penalty',
  'top_logprobs',
  'prompt_cache_retention',
  'prompt_cache_options',
  'user',
  'safety_identifier',
] as const;

/**
 * What the object has for settings that the client did not send: the defaults of OpenAI. Open Responses requires each
 * of them, and a number for most. https://www.openresponses.org/specification
 */
const defaults = {
  frequency_penalty: 0,
  max_output_tokens: null,
  max_tool_calls: null,
  presence_penalty: 0,
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: 'default',
  temperature: 1,
  top_logprobs: 0,
  top_p: 1,
} as const;

const echoInstructions = (request: GenerateRequest): string | null => {
  const [first] = request.turns;
  if (first?.role !== 'system' || first.extra !== undefined || readForm(request).systemItem === true) return null;
  return first.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
};

const echoFormat = ({ output }: GenerateRequest): JsonObject => {
  if (output === undefined) return { type: 'text' };
  if (output.type === 'json') return { type: 'json_object' };
  return {
    type: 'json_schema',
    ...omitUndefined({ name: output.name, schema: output.schema }),
    description: output.description ?? null,
    strict: output.strict ?? false,
  };
};

const echoText = (request: GenerateRequest, kept: unknown): JsonObject => {
  const { format, ...others } = readObject(kept);
  return {
    format: { ...echoFormat(request), ...readObject(format) },
    ...omitUndefined({ verbosity: request.verbosity }),
    ...others,
  };
};

const echoReasoning = ({ reasoning }: GenerateRequest, kept: unknown): JsonObject => ({
  effort: reasoning?.effort ?? null,
  summary: reasoning?.show === true ? 'auto' : null,
  ...readObject(kept),
});

const echoUser = (request: GenerateRequest): JsonObject => {
  if (request.user === undefined) return {};
  return readForm(request).olderUser === true ? { user: request.user } : { safety_identifier: request.user };
};

/** The settings that the response object repeats: what the client sent, else the default. `store` defaults to false. */
export function echoSettings(request: GenerateRequest): JsonObject {
  const kept = request.extra.wire === WIRE ? request.extra.members : {};
  return {
    ...defaults,
    background: false,
    instructions: echoInstructions(request),
    metadata: kept['metadata'] ?? {},
    parallel_tool_calls: request.parallelTools ?? true,
    previous_response_id: null,
    reasoning: echoReasoning(request, kept['reasoning']),
    store: request.store ?? false,
    text: echoText(request, kept['text']),
    tool_choice: echoToolChoice(request.toolChoice, request.tools),
    tools: echoTools(request.tools),
    truncation: kept['truncation'] ?? 'disabled',
    ...omitUndefined({
      max_output_tokens: request.maxTokens,
      prompt_cache_key: request.cacheKey,
      service_tier: request.serviceTier,
      temperature: request.temperature,
      top_p: request.topP,
    }),
    ...echoUser(request),
    ...omitUndefined(Object.fromEntries(echoedMembers.map((name) => [name, kept[name]]))),
  };
}
