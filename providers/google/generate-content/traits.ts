import type { Capabilities, JsonObject } from '../../../core/api/index.ts';
import { readList, readObject, schemaDialects, type TurnPlace, type WireTraits } from '../../../core/api/codec.ts';
import { joinTurnPlaces } from '../../../core/api/internal.ts';

const placeParts = (path: string, content: unknown): readonly string[] =>
  readList(readObject(content)['parts']).map((_part, index) => `${path}.parts[${index}]`);

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The places of the turns that `client/request/turns.ts` reads. Consecutive model contents are one turn. */
function places(body: Readonly<JsonObject>): readonly TurnPlace[] {
  const name = isPresent(body['systemInstruction']) ? 'systemInstruction' : 'system_instruction';
  const system = body[name];
  const contents = readList(body['contents']).map((content, index) => {
    const turn = `contents[${index}]`;
    return { turn, side: readObject(content)['role'], parts: placeParts(turn, content) };
  });
  return [
    ...(isPresent(system)
      ? [{ turn: name, parts: typeof system === 'string' ? [name] : placeParts(name, system) }]
      : []),
    ...joinTurnPlaces(contents, (side) => side === 'model'),
  ];
}

/**
 * What the wire cannot express: system text between turns, custom tools, cache marks, and names beyond
 * https://ai.google.dev/api/caching#FunctionDeclaration.
 */
export const limits: Capabilities = {
  maxTemperature: 2,
  midSystem: false,
  customTools: false,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
};

/** https://ai.google.dev/api/generate-content */
export const traits: WireTraits = {
  fieldNames: {
    conversation: 'contents',
    parts: 'parts',
    toolChoice: 'toolConfig.functionCallingConfig',
    output: 'generationConfig.responseMimeType',
    maxTokens: 'generationConfig.maxOutputTokens',
    temperature: 'generationConfig.temperature',
    topP: 'generationConfig.topP',
    topK: 'generationConfig.topK',
    seed: 'generationConfig.seed',
    presencePenalty: 'generationConfig.presencePenalty',
    frequencyPenalty: 'generationConfig.frequencyPenalty',
    stop: 'generationConfig.stopSequences',
    choices: 'generationConfig.candidateCount',
    logprobs: 'generationConfig.responseLogprobs',
    topLogprobs: 'generationConfig.logprobs',
    effort: 'generationConfig.thinkingConfig.thinkingLevel',
    budget: 'generationConfig.thinkingConfig.thinkingBudget',
    show: 'generationConfig.thinkingConfig.includeThoughts',
    reasoning: 'generationConfig.thinkingConfig',
    serviceTier: 'serviceTier',
  },
  places,
  omitsEmptyTurns: true,
  otherNames: {
    responseMimeType: ['responseSchema', 'responseJsonSchema', 'responseFormat'],
    failed: ['functionResponse.response.error'],
    content: ['functionResponse.parts', 'parts.functionResponse.parts'],
    parts: ['functionResponse.parts'],
    input: ['functionCall.args'],
    name: ['inlineData.displayName', 'fileData.displayName'],
    reasoning: ['parts.thought'],
    signature: ['thoughtSignature', 'parts.thoughtSignature'],
  },
  // The maximum of Gemini 2.5 Flash. 2.5 Pro declares its higher one:
  // https://ai.google.dev/gemini-api/docs/thinking#set-budget
  usualMaxBudget: 24_576,
  schemas: schemaDialects.generateContent,
};
