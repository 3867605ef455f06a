import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GenerateRequest, OutputFormat } from '../../canonical/request.ts';
import type { Tool, ToolChoice } from '../../canonical/tool.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit, type FitContext, type Fitted } from '../../contracts/fit.ts';
import { writeInDialect } from '../../canonical/schema/write-schema.ts';
import { describeField } from '../support/field-name.ts';
import { canForceTool } from '../tools/forcing.ts';
import { createJsonToolReply } from './json-tool-reply.ts';
import { dialectOfOutput } from './schema-dialect.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { calledNames } from '../tools/undeclared-tools.ts';
import { createUniqueName } from '../tools/unique-name.ts';

type SchemaOutput = Extract<OutputFormat, { type: 'schema' }>;

/**
 * The input schema of a tool must be an object: a schema of type object, or one that describes an object without a
 * type.
 */
const asObjectSchema = (schema: Readonly<JsonObject>): Readonly<JsonObject> | undefined => {
  if (schema['type'] === 'object') return schema;
  return schema['type'] === undefined && schema['properties'] !== undefined ? { type: 'object', ...schema } : undefined;
};

/** Creates the hidden tool whose arguments are the answer; undefined if the schema is not one of an object. */
function createJsonTool(
  { schema, description, strict }: SchemaOutput,
  request: GenerateRequest,
  pattern: RegExp | undefined,
): Tool | undefined {
  const objectSchema = asObjectSchema(schema);
  if (objectSchema === undefined) return undefined;
  const taken = calledNames(request.turns).union(new Set(request.tools.map(({ name }) => name)));
  return omitUndefined<Tool>({
    name: createUniqueName('json', (name) => !taken.has(name) && pattern?.test(name) !== false),
    kind: 'function',
    description: description ?? 'Gives the final answer. Its arguments are the answer.',
    schema: objectSchema,
    strict,
  });
}

const askForJson = 'Answer with a single JSON object and nothing else.';
const askForSchema = (schema: object): string =>
  'Answer with a single JSON value and nothing else. No code fence. It must be valid against this JSON Schema:\n' +
  JSON.stringify(schema);
const askForTool = (name: string): string =>
  `When you have the final answer, give it by calling the tool '${name}' once. Do not answer in plain text.`;

interface OutputSupport {
  readonly json: boolean;
  readonly schema: boolean;
  /** Appended to the loss: ` together with tools`, if it is supported without tools. */
  readonly suffix: string;
}

/** Adds a line at the end of the system prompt, so that a cached prefix stays valid. */
const addInstruction = (request: GenerateRequest, text: string): GenerateRequest => {
  const leading = request.turns.findIndex(({ role }) => role !== 'system');
  const at = leading === -1 ? request.turns.length : leading;
  return { ...request, turns: request.turns.toSpliced(at, 0, { role: 'system', parts: [{ type: 'text', text }] }) };
};

const mentionsJson = ({ turns }: GenerateRequest): boolean =>
  turns.some(({ parts }) => parts.some((part) => part.type === 'text' && /json/i.test(part.text)));

/** The structured output that the target supports for this request; it can be less together with tools. */
const findOutputSupport = (
  { tools }: GenerateRequest,
  { json, schema, jsonWithTools }: Capabilities,
): OutputSupport => {
  const excluded = jsonWithTools === false && tools.length > 0;
  return {
    json: !excluded && json !== false,
    schema: !excluded && schema !== false,
    suffix: excluded ? ' together with tools' : '',
  };
};

/** Why the target cannot enforce the schema; undefined if it can. With `schemaNeedsStrict` it need not. */
const findObstacle = (output: SchemaOutput, { traits }: TargetProfile): string | undefined => {
  const dialect = traits.schemaNeedsStrict === true ? undefined : dialectOfOutput(output, traits);
  return dialect === undefined ? undefined : writeInDialect(output.schema, dialect).obstacle;
};

const fitJson = (
  request: GenerateRequest,
  { traits }: TargetProfile,
  { json, suffix }: OutputSupport,
  { lose, client }: FitContext,
): Fitted | undefined => {
  const field = describeField(client, 'output');
  if (!json) {
    lose(field, 'injected', `the target has no JSON mode${suffix}: the system prompt requests JSON instead`);
    return { request: { ...addInstruction(request, askForJson), output: undefined } };
  }
  if (traits.jsonNeedsWord !== true || mentionsJson(request)) return undefined;
  lose(field, 'injected', 'JSON mode requires the word JSON in the prompt: the system prompt now requests JSON');
  return { request: addInstruction(request, askForJson) };
};

/** Adds the tool to the client's tools. The model must call something, and the final answer is one of the calls. */
const offerTool = (request: GenerateRequest, tool: Tool): GenerateRequest => {
  const only = request.toolChoice?.only;
  const offered: GenerateRequest = {
    ...request,
    output: undefined,
    tools: [...request.tools, tool],
    toolChoice: omitUndefined<ToolChoice>({
      mode: 'required',
      only: only === undefined ? undefined : [...only, tool.name],
    }),
  };
  return addInstruction(offered, askForTool(tool.name));
};

const forceTool = (request: GenerateRequest, tool: Tool): GenerateRequest => ({
  ...request,
  output: undefined,
  tools: [...request.tools, tool],
  toolChoice: { mode: 'required', only: [tool.name] },
  parallelTools: false,
});

const fitSchema = (
  request: GenerateRequest,
  output: SchemaOutput,
  { capabilities }: TargetProfile,
  { json, suffix }: OutputSupport,
  { lose, client }: FitContext,
): Fitted => {
  const field = describeField(client, 'output');
  const { tools, toolChoice } = request;
  if (toolChoice?.mode === 'required') {
    lose(field, 'dropped', 'the response must be a tool call: there is no text to format');
    return { request: { ...request, output: undefined } };
  }
  const jsonTool = canForceTool(request, capabilities)
    ? createJsonTool(output, request, capabilities.toolName)
    : undefined;
  if (jsonTool === undefined) {
    lose(field, 'approximated', `the target has no schema output${suffix}: the system prompt requests it instead`);
    return {
      request: { ...addInstruction(request, askForSchema(output.schema)), output: json ? { type: 'json' } : undefined },
    };
  }
  lose(field, 'approximated', `the target has no schema output${suffix}: the answer is requested as a tool call`);
  const isAlone = tools.length === 0 || toolChoice?.mode === 'none';
  return {
    request: (isAlone ? forceTool : offerTool)(request, jsonTool),
    reply: () => createJsonToolReply(jsonTool.name),
  };
};

/**
 * Structured output for targets without it, or without it together with tools. JSON mode becomes a line in the system
 * prompt. A schema becomes a hidden tool whose arguments are the answer, or a line as well if no call can be forced.
 */
export const jsonOutputFit = defineFit({
  name: 'json-output',
  applies: ({ capabilities: { json, schema, jsonWithTools }, traits }) =>
    json === false ||
    schema === false ||
    jsonWithTools === false ||
    traits.jsonNeedsWord === true ||
    traits.schemas?.output !== undefined,
  fit(request, profile, context) {
    const { output } = request;
    if (output === undefined) return undefined;
    const support = findOutputSupport(request, profile.capabilities);
    if (output.type === 'json') return fitJson(request, profile, support, context);
    if (!support.schema) return fitSchema(request, output, profile, support, context);
    const obstacle = request.wire === profile.wire ? undefined : findObstacle(output, profile);
    if (obstacle === undefined) return undefined;
    return fitSchema(request, output, profile, { ...support, suffix: ` for ${obstacle}` }, context);
  },
});
