import { driveRequest, driveResponse, driveStream, driveUsage } from '../drive.ts';
import { surface, type Surface } from './surface.ts';

const WIRE = 'generate-content';
const user = { role: 'user', parts: [{ text: 'Hi' }] };
const tools = [{ functionDeclarations: [{ name: 'words' }] }];
const generationConfig = { maxOutputTokens: 100 };
const format = { text: { mimeType: 'application/json', schema: { type: 'object' } } };
const base = { contents: [user], tools, generationConfig };
const text = { text: 'Hi' };
const sayPart = (part: unknown) => [
  ...driveRequest(WIRE, { ...base, contents: [{ role: 'user', parts: [part, text] }] }),
  ...driveRequest(WIRE, { ...base, contents: [user, { role: 'model', parts: [part, text] }, user] }),
];

const web = { uri: 'https://example.com/', title: 'words' };
const candidate = {
  index: 0,
  content: { role: 'model', parts: [{ text: 'Hello' }] },
  finishReason: 'STOP',
  citationMetadata: { citations: [{ startIndex: 0, endIndex: 5, uri: 'https://example.com/' }] },
  groundingMetadata: {
    webSearchQueries: ['words'],
    groundingChunks: [{ web }],
    groundingSupports: [{ segment: { startIndex: 0, endIndex: 5, text: 'Hello' }, groundingChunkIndices: [0] }],
  },
};
const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
const response = { candidates: [candidate], usageMetadata };
const answer = (value: unknown) => [
  ...driveResponse(WIRE, value),
  ...driveStream(WIRE, [{ event: undefined, data: JSON.stringify(value) }]),
];

const start = (...names: readonly string[]): string => `^\\.(?:${names.join('|')})(?![A-Za-z])`;
/** Members of the SDK's configuration that it keeps for itself. */
const LOCAL = start('httpOptions', 'abortSignal', 'automaticFunctionCalling');
/** Members of the SDK's configuration that are in the body itself. The others are in `generationConfig`. */
const BODY = start(
  'serviceTier',
  'systemInstruction',
  'safetySettings',
  'tools',
  'toolConfig',
  'labels',
  'cachedContent',
  'modelArmorConfig',
  'continuationToken',
  'store',
);
/** The parts of a prompt and the tools are surfaces of their own. */
const notBody = new RegExp(`^(?!${BODY.slice(1)})|^\\.(?:systemInstruction|tools).`);
const notConfig = new RegExp(`${BODY}|${LOCAL}|^\\.responseFormat\\[`);
/** What the SDK computes or adds, and what is a surface of its own. */
const notSent = new RegExp(
  start(
    'text',
    'data',
    'functionCalls',
    'executableCode',
    'codeExecutionResult',
    'sdkHttpResponse',
    'automaticFunctionCallingHistory',
    'candidates',
    'usageMetadata',
  ),
);

export const googleSurfaces: readonly Surface[] = [
  surface(WIRE, 'request', [['google', 'GenerateContentConfig']], { depth: 3, base, skip: notBody }, (value = base) =>
    driveRequest(WIRE, value),
  ),
  surface(WIRE, 'request tools', [['google', 'Tool']], { depth: 2, base: tools[0]! }, (value = tools[0]) =>
    driveRequest(WIRE, { ...base, tools: [value] }),
  ),
  surface(
    WIRE,
    'request generationConfig',
    [
      ['google', 'GenerationConfig'],
      ['google', 'GenerateContentConfig'],
    ],
    { depth: 3, base: generationConfig, skip: notConfig },
    (value = generationConfig) => driveRequest(WIRE, { ...base, generationConfig: value }),
  ),
  surface(
    WIRE,
    'request responseFormat',
    [['google', 'GenerationConfig', 'responseFormat', '[]']],
    { depth: 2, base: format },
    (value = format) =>
      driveRequest(WIRE, { ...base, generationConfig: { ...generationConfig, responseFormat: [value] } }),
  ),
  surface(WIRE, 'request parts', [['google', 'Part']], { depth: 2, base: {} }, (value = text) => sayPart(value)),
  surface(
    WIRE,
    'response',
    [['google', 'GenerateContentResponse']],
    { depth: 2, base: response, skip: notSent },
    (value = response) => answer(value),
  ),
  surface(
    WIRE,
    'response candidates',
    [['google', 'Candidate']],
    { depth: 2, base: candidate, skip: /^\.content$/ },
    (value = candidate) => answer({ ...response, candidates: [value] }),
  ),
  surface(
    WIRE,
    'response without candidates',
    [['google', 'GenerateContentResponse', 'promptFeedback']],
    { depth: 1 },
    (promptFeedback) => answer({ usageMetadata, promptFeedback }),
  ),
  surface(WIRE, 'response parts', [['google', 'Part']], { depth: 2, base: {} }, (value = text) =>
    answer({ ...response, candidates: [{ ...candidate, content: { role: 'model', parts: [value, text] } }] }),
  ),
  surface(WIRE, 'usage', [['google', 'GenerateContentResponseUsageMetadata']], { depth: 2 }, (value) =>
    driveUsage(WIRE, value),
  ),
];
