import type { JsonObject } from '../../../../../core/api/index.ts';

/**
 * Normalises a request of this wire, so that two bodies with the same meaning are equal. Written against the wire's
 * documentation, not against the codec.
 */
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const objects = (value: unknown): readonly JsonObject[] => list(value).filter(isObject);

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
/** Names inside these belong to the client, not to the wire. */
const foreignNames = new Set([
  'args',
  'response',
  'labels',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
]);

/** Members in camelCase, nulls left out. */
const spell = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spell);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [camel(name), foreignNames.has(camel(name)) ? member : spell(member)]),
  );
};

const sentinel = 'skip_thought_signature_validator';
const sentinels = new Set([sentinel, Buffer.from(sentinel).toString('base64')]);

/** JSON in a text, and the text of it, say the same. */
const settle = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};

const plainResponse = (response: unknown): unknown => {
  const [name, ...others] = isObject(response) ? Object.keys(response) : [];
  const wrapped =
    isObject(response) && others.length === 0 && (name === 'output' || name === 'error')
      ? { [name]: settle(response[name]) }
      : { output: response };
  return wrapped;
};

/** Ids are for pairing; those that were left out are made up. */
const plainPart = (part: JsonObject): JsonObject => {
  const { thoughtSignature: signature, inlineData, functionCall, functionResponse, ...others } = part;
  return {
    ...others,
    ...(typeof signature !== 'string' || sentinels.has(signature) ? {} : { thoughtSignature: signature }),
    ...(isObject(inlineData)
      ? { inlineData: { ...inlineData, data: Buffer.from(String(inlineData['data']), 'base64').toString('hex') } }
      : {}),
    ...(isObject(functionCall)
      ? { functionCall: { name: functionCall['name'], args: functionCall['args'] ?? {} } }
      : {}),
    ...(isObject(functionResponse)
      ? {
          functionResponse: {
            ...functionResponse,
            id: undefined,
            response: plainResponse(functionResponse['response']),
            parts: objects(functionResponse['parts']).map(plainPart),
          },
        }
      : {}),
  };
};

const isSilent = (part: JsonObject): boolean => part['text'] === '' && typeof part['thoughtSignature'] !== 'string';

/** Merges neighbouring turns of one role, and neighbouring texts without a signature between them. */
const plainContents = (contents: unknown): readonly unknown[] => {
  const turns: { role: unknown; parts: JsonObject[] }[] = [];
  for (const { role, parts } of objects(contents)) {
    const who = role === 'model' ? 'model' : 'user';
    const last = turns.at(-1);
    const turn = last?.role === who ? last : { role: who, parts: [] };
    if (turn !== last) turns.push(turn);
    for (const part of objects(parts).map(plainPart)) {
      const before = turn.parts.at(-1);
      const joins =
        who === 'model' &&
        typeof part['text'] === 'string' &&
        typeof before?.['text'] === 'string' &&
        before['thoughtSignature'] === undefined &&
        before['thought'] === part['thought'];
      if (joins) turn.parts.splice(-1, 1, { ...before, ...part, text: `${String(before['text'])}${part['text']}` });
      else if (!isSilent(part)) turn.parts.push(part);
    }
  }
  return turns
    .filter(({ parts }) => parts.length > 0)
    .map(({ role, parts }) => ({
      role,
      parts: [
        ...parts.filter((part) => 'functionResponse' in part),
        ...parts.filter((part) => !('functionResponse' in part)),
      ],
    }));
};

/** Types in lower case, `const` as the only value of an enum. */
const plainSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (!isObject(schema)) return schema;
  const { type, const: only, ...others } = schema;
  const members = Object.entries(others).map(
    ([name, member]) => [name, name === 'enum' || name === 'default' ? member : plainSchema(member)] as const,
  );
  return {
    ...Object.fromEntries(members),
    ...(typeof type === 'string'
      ? { type: type.toLowerCase() }
      : type === undefined
        ? {}
        : { type: plainSchema(type) }),
    ...(only === undefined ? {} : { enum: [only] }),
  };
};

const plainTools = (tools: unknown): readonly unknown[] => {
  const entries = objects(tools);
  const functions = entries
    .flatMap(({ functionDeclarations }) => objects(functionDeclarations))
    .map(({ parameters, parametersJsonSchema = parameters, ...others }) => ({
      ...others,
      schema: plainSchema(parametersJsonSchema),
    }));
  const hosted = entries.flatMap((entry) => Object.entries(entry)).filter(([name]) => name !== 'functionDeclarations');
  return [...functions, ...hosted];
};

const plainChoice = (toolConfig: unknown): unknown => {
  if (!isObject(toolConfig)) return undefined;
  const { functionCallingConfig: config, ...others } = toolConfig;
  if (!isObject(config)) return Object.keys(others).length === 0 ? undefined : others;
  const { allowedFunctionNames: names, mode, ...more } = config;
  return { ...others, ...more, mode: String(mode).toUpperCase(), names: list(names) };
};

const plainConfig = (config: unknown): unknown => {
  const {
    thinkingConfig,
    candidateCount,
    responseSchema,
    responseJsonSchema = responseSchema,
    responseMimeType,
    ...others
  } = isObject(config) ? config : {};
  const { includeThoughts, thinkingLevel, thinkingBudget } = isObject(thinkingConfig) ? thinkingConfig : {};
  return {
    ...others,
    ...(candidateCount === 1 ? {} : { candidateCount }),
    mime: responseMimeType === 'text/plain' ? undefined : responseMimeType,
    schema: plainSchema(responseJsonSchema),
    shows: includeThoughts === true,
    level: typeof thinkingLevel === 'string' ? thinkingLevel.toUpperCase() : undefined,
    budget: thinkingBudget === -1 ? undefined : thinkingBudget,
  };
};

const read = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'model']);

export const plainRequest = (request: JsonObject): unknown => {
  const body = spell(request) as JsonObject;
  const { systemInstruction: system } = body;
  const plain = {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !read.has(name))),
    contents: plainContents(body['contents']),
    system:
      typeof system === 'string'
        ? [{ text: system }]
        : objects(isObject(system) ? system['parts'] : []).filter((part) => !isSilent(part)),
    tools: plainTools(body['tools']),
    choice: plainChoice(body['toolConfig']),
    config: plainConfig(body['generationConfig']),
  };
  return JSON.parse(JSON.stringify(plain)) as unknown;
};
