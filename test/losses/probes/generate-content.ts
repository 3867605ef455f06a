import { PDF, PIXEL, schema, type Probe } from '../probe.ts';

const user = { role: 'user', parts: [{ text: 'Hi' }] };
const tools = [{ functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: schema }] }];
const openApi = { type: 'OBJECT', properties: { city: { type: 'STRING', nullable: true } } };
const say = (...parts: readonly object[]) => ({ contents: [{ role: 'user', parts }] });
const mode = (functionCallingConfig: object) => ({ tools, toolConfig: { functionCallingConfig } });
/** Beside the cap that the smallest request has. */
const config = (members: object) => ({ generationConfig: { maxOutputTokens: 16_000, ...members } });
const answer = (...parts: readonly object[]) => ({
  tools,
  contents: [
    user,
    { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: { city: 'Paris' } } }] },
    { role: 'user', parts },
  ],
});
const text = { text: 'Look.' };

/** https://ai.google.dev/api/generate-content */
export const generateContentProbes: readonly Probe[] = [
  { feature: '`systemInstruction`', body: { systemInstruction: { parts: [{ text: 's' }] } } },
  { feature: 'image, bytes', body: say(text, { inlineData: { mimeType: 'image/png', data: PIXEL } }) },
  {
    feature: 'image, URL',
    body: say(text, { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } }),
  },
  { feature: 'PDF, bytes', body: say(text, { inlineData: { mimeType: 'application/pdf', data: PDF } }) },
  { feature: 'audio input', body: say(text, { inlineData: { mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZF' } }) },
  { feature: 'video input', body: say(text, { inlineData: { mimeType: 'video/mp4', data: 'AAAAGGZ0eXA=' } }) },
  {
    feature: 'uploaded file',
    body: say(text, {
      fileData: { mimeType: 'application/pdf', fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' },
    }),
  },
  { feature: 'functions, JSON Schema', body: { tools } },
  {
    feature: 'functions, OpenAPI schema',
    body: { tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parameters: openApi }] }] },
  },
  { feature: 'web search', body: { tools: [{ googleSearch: {} }] } },
  { feature: 'tool of Google', body: { tools: [{ codeExecution: {} }] } },
  { feature: 'mode ANY', body: mode({ mode: 'ANY' }) },
  { feature: 'mode NONE', body: mode({ mode: 'NONE' }) },
  { feature: 'mode VALIDATED', body: mode({ mode: 'VALIDATED' }) },
  { feature: '`allowedFunctionNames`', body: mode({ mode: 'ANY', allowedFunctionNames: ['f'] }) },
  {
    feature: 'call and result',
    body: answer({ functionResponse: { id: 'c1', name: 'f', response: { output: '18' } } }),
  },
  {
    feature: 'call and result without ids',
    body: {
      tools,
      contents: [
        user,
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: '18' } } }] },
      ],
    },
  },
  {
    feature: 'result that failed',
    body: answer({ functionResponse: { id: 'c1', name: 'f', response: { error: 'ENOENT' } } }),
  },
  {
    feature: 'result with an image',
    body: answer({
      functionResponse: {
        id: 'c1',
        name: 'f',
        response: { output: 'x' },
        parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }],
      },
    }),
  },
  {
    feature: 'tool that ran at Google in the history',
    body: {
      contents: [
        user,
        {
          role: 'model',
          parts: [
            { toolCall: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['a'] } } },
            { toolResponse: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
            { text: 'a' },
          ],
        },
        user,
      ],
    },
  },
  { feature: '`partMetadata`', body: say({ text: 'Look.', partMetadata: { a: 'b' } }) },
  {
    feature: 'thought of a vendor in the history',
    body: {
      contents: [
        user,
        { role: 'model', parts: [{ text: 't', thought: true, thoughtSignature: 'SIG' }, { text: 'a' }] },
        user,
      ],
    },
  },
  { feature: 'no output cap', body: { generationConfig: undefined } },
  { feature: '`temperature`', body: config({ temperature: 0.5 }) },
  { feature: '`temperature` above 1', body: config({ temperature: 1.7 }) },
  { feature: '`topP`', body: config({ topP: 0.9 }) },
  { feature: '`topK`', body: config({ topK: 5 }) },
  { feature: '`candidateCount`', body: config({ candidateCount: 2 }) },
  { feature: '`stopSequences`', body: config({ stopSequences: ['END'] }) },
  { feature: '`seed`', body: config({ seed: 1 }) },
  { feature: '`presencePenalty`', body: config({ presencePenalty: 0.1 }) },
  { feature: '`responseLogprobs`', body: config({ responseLogprobs: true, logprobs: 2 }) },
  { feature: 'JSON', body: config({ responseMimeType: 'application/json' }) },
  { feature: '`responseSchema`', body: config({ responseMimeType: 'application/json', responseSchema: openApi }) },
  {
    feature: '`responseJsonSchema`',
    body: config({ responseMimeType: 'application/json', responseJsonSchema: schema }),
  },
  {
    feature: '`responseFormat` of text',
    body: config({ responseFormat: [{ text: { mimeType: 'application/json', schema } }] }),
  },
  { feature: '`responseFormat` of images', body: config({ responseFormat: [{ image: { aspectRatio: '1:1' } }] }) },
  { feature: '`thinkingBudget`', body: config({ thinkingConfig: { thinkingBudget: 2_048 } }) },
  { feature: '`thinkingBudget: 0`', body: config({ thinkingConfig: { thinkingBudget: 0 } }) },
  { feature: '`thinkingLevel`', body: config({ thinkingConfig: { thinkingLevel: 'LOW' } }) },
  { feature: '`includeThoughts`', body: config({ thinkingConfig: { includeThoughts: true } }) },
  { feature: '`responseModalities`', body: config({ responseModalities: ['TEXT', 'IMAGE'] }) },
  { feature: '`speechConfig`', body: config({ speechConfig: { voiceConfig: {} } }) },
  { feature: '`mediaResolution`', body: config({ mediaResolution: 'MEDIA_RESOLUTION_LOW' }) },
  {
    feature: '`safetySettings`',
    body: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
  },
  { feature: '`cachedContent`', body: { cachedContent: 'cachedContents/1' } },
  { feature: '`automaticContinuation`', body: { automaticContinuation: true } },
  { feature: '`labels`', body: { labels: { a: 'b' } } },
];
