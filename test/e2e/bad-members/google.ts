import { bad, badIn, type BadMember } from './bad-member.ts';

const content = badIn('contents');
const part = (path: string, ...parts: readonly unknown[]): readonly BadMember[] =>
  content(`.parts[0]${path}`, ...parts.map((value) => ({ role: 'user', parts: [value] })));
const modelPart = (path: string, ...parts: readonly unknown[]): readonly BadMember[] =>
  content(`.parts[0]${path}`, ...parts.map((value) => ({ role: 'model', parts: [value] })));
/** Wrong values of one member of the configuration. */
const config = (path: string, ...values: readonly unknown[]): readonly BadMember[] =>
  values.flatMap((value) =>
    bad(
      `generationConfig.${path}`,
      path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value),
    ),
  );
const declare = (...declarations: readonly unknown[]): unknown => [{ functionDeclarations: declarations }];
const calling = (functionCallingConfig: unknown): unknown => ({ functionCallingConfig });

/** The model is in the path; a body may repeat it. Members can be in snake_case, and errors repeat that spelling. */
export const badGoogle: readonly BadMember[] = [
  ...bad('model', 7, {}),
  ...bad('contents', 'Hi', 7, []),
  ...bad('contents[0]', [7], ['Hi'], [null]),
  ...bad('contents.parts', {}),
  ...content('.role', { role: 'robot', parts: [{ text: 'Hi' }] }, { role: 7, parts: [{ text: 'Hi' }] }),
  ...content('.parts', { role: 'user' }, { role: 'user', parts: [] }, { role: 'user', parts: 'Hi' }),
  ...part('', 7, 'Hi', {}),
  ...part('.text', { text: 7 }, { text: {} }),
  ...part('.thought', { text: 'x', thought: 'x' }),
  ...part('.thoughtSignature', { text: 'x', thoughtSignature: 7 }),
  ...part('.inlineData', { inlineData: 'x' }),
  ...part('.inlineData.mimeType', { inlineData: { data: 'AAAA' } }, { inlineData: { mimeType: 7, data: 'AAAA' } }),
  ...part('.inlineData.data', { inlineData: { mimeType: 'image/png' } }),
  ...part('.inline_data.mime_type', { inline_data: { mime_type: 7, data: 'AAAA' } }),
  ...part('.fileData.fileUri', { fileData: {} }, { fileData: { fileUri: 7 } }),
  ...part('.functionCall', { functionCall: { name: 'f', args: {} } }),
  ...part('.functionResponse.response', { functionResponse: { name: 'f', response: 'x' } }),
  ...modelPart('.functionCall', { functionCall: 7 }),
  ...modelPart('.functionCall.name', { functionCall: {} }, { functionCall: { name: 7 } }),
  ...modelPart('.functionCall.args', { functionCall: { name: 'f', args: 'x' } }),
  ...modelPart('.functionResponse', { functionResponse: { name: 'f', response: {} } }),
  ...bad('systemInstruction', 7, []),
  ...bad('systemInstruction.parts', { parts: 'Hi' }),
  ...bad('systemInstruction.parts[0]', { parts: [7] }),
  ...bad('tools', 'x', 7),
  ...bad('tools[0]', [7], ['x']),
  ...bad('tools[0].functionDeclarations', [{ functionDeclarations: 'x' }]),
  ...bad('tools[0].functionDeclarations[0]', declare(7)),
  ...bad('tools[0].functionDeclarations[0].name', declare({}), declare({ name: 7 })),
  ...bad('tools[0].functionDeclarations[0].parameters', declare({ name: 'f', parameters: 'x' })),
  ...bad('tools[0].functionDeclarations[0].parametersJsonSchema', declare({ name: 'f', parametersJsonSchema: 'x' })),
  ...bad('toolConfig', 'x', []),
  ...bad('toolConfig.functionCallingConfig', calling('x')),
  ...bad('toolConfig.functionCallingConfig.mode', calling({ mode: 'SOMETIMES' }), calling({ mode: 7 })),
  ...bad('toolConfig.functionCallingConfig.allowedFunctionNames', calling({ mode: 'ANY', allowedFunctionNames: 'f' })),
  ...bad(
    'toolConfig.functionCallingConfig.allowedFunctionNames[0]',
    calling({ mode: 'ANY', allowedFunctionNames: [7] }),
  ),
  ...bad('generationConfig', 'x', []),
  { members: { generationConfig: undefined, generation_config: 'x' }, param: 'generation_config' },
  {
    members: { generationConfig: undefined, generation_config: { max_output_tokens: 'x' } },
    param: 'generation_config.max_output_tokens',
  },
  ...config('temperature', 'x', 2.1, -0.1, []),
  ...config('topP', 'x', 1.1, -0.1),
  ...config('topK', 'x', -1, 1.5),
  ...config('maxOutputTokens', 'x', 0, -1, 1.5, {}),
  ...config('candidateCount', 'x', 0, 1.5, 9),
  ...config('seed', 'x', 1.5),
  ...config('presencePenalty', 'x', 2.1, -2.1),
  ...config('frequencyPenalty', 'x', 2.1, -2.1),
  ...config('responseLogprobs', 'x', 1),
  ...config('stopSequences', 'x', 7),
  ...config('responseMimeType', 7),
  ...config('responseSchema', 'x', []),
  ...config('responseJsonSchema', 'x'),
  ...config('thinkingConfig', 'x'),
  ...config('thinkingConfig.thinkingBudget', 'x', -2, 1.5),
  ...config('thinkingConfig.thinkingLevel', true),
  ...config('thinkingConfig.includeThoughts', 'x'),
  ...bad('serviceTier', true),
  ...bad('store', 'x'),
];
