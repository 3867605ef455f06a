import { bounds, keywordRules, relations } from './schema-words.ts';
import { findWithin, jsonOf, listOf, rule, type Json, type Rule } from './rule.ts';

const turnsOf = ({ messages }: Json): readonly Json[] => listOf(messages);

const google = 'https://ai.google.dev/api/caching#Content';
const partsOf = (turn: Json | undefined): readonly Json[] => listOf(turn?.['parts']);
const contentsOf = ({ contents }: Json): readonly Json[] => listOf(contents);
/** The turns: SDKs return one content for each chunk of a stream. */
const turnsAt = (body: Json): readonly Json[] => {
  const turns: { role: unknown; parts: readonly Json[] }[] = [];
  for (const content of contentsOf(body)) {
    const last = turns.at(-1);
    if (last?.role === content['role'] && last !== undefined) last.parts = [...last.parts, ...partsOf(content)];
    else turns.push({ role: content['role'], parts: partsOf(content) });
  }
  return turns;
};
const responseSchema = ({ generationConfig }: Json): unknown => jsonOf(generationConfig)['responseJsonSchema'];

export const googleRules: readonly Rule[] = [
  rule(
    { at: 'google', page: 'https://github.com/vercel/ai/issues/14369' },
    'the referenced name in function_response.response does not match',
    (body) =>
      contentsOf(body).some((turn) =>
        partsOf(turn).some((part) =>
          findWithin(jsonOf(part['functionResponse'])['response'], (node) => '$ref' in node),
        ),
      ),
    { contents: [{ parts: [{ functionResponse: { response: { a: { $ref: '#/b' } } } }] }] },
  ),
  ...keywordRules(
    { at: 'google', page: 'https://ai.google.dev/api/generate-content#GenerationConfig' },
    {
      find: (body) => [responseSchema(body)],
      write: (schema) => ({ generationConfig: { responseJsonSchema: schema } }),
    },
    ['exclusiveMinimum', 'minLength', 'maxLength', 'pattern', 'multipleOf', 'uniqueItems', 'allOf', ...relations],
  ),
  rule(
    { at: 'google', page: google },
    'please use a valid role: user, model',
    (body) => contentsOf(body).some(({ role }) => role !== 'user' && role !== 'model'),
    { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] },
  ),
  rule(
    { at: 'google', page: google },
    'contents.parts must not be empty',
    (body) => contentsOf(body).some((turn) => partsOf(turn).length === 0),
    { contents: [{ role: 'user', parts: [] }] },
  ),
  rule(
    { at: 'google', page: 'https://ai.google.dev/gemini-api/docs/function-calling' },
    'as many function responses as function calls are needed',
    (body) =>
      turnsAt(body).some((turn, index, turns) => {
        const calls = partsOf(turn).filter((part) => 'functionCall' in part).length;
        return calls > 0 && partsOf(turns[index + 1]).filter((part) => 'functionResponse' in part).length !== calls;
      }),
    { contents: [{ role: 'model', parts: [{ functionCall: {} }] }] },
  ),
  rule(
    {
      at: 'google',
      models: /^gemini-3/,
      model: 'gemini-3',
      page: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
    },
    'function call is missing a thought_signature',
    (body) =>
      turnsAt(body).some((turn) => {
        const call = partsOf(turn).find((part) => 'functionCall' in part);
        return call !== undefined && call['thoughtSignature'] === undefined;
      }),
    {
      contents: [
        { role: 'model', parts: [{ functionCall: {} }] },
        { role: 'user', parts: [{ functionResponse: {} }] },
      ],
    },
  ),
];

const conversePage = 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html';
const structured = 'https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html';
const specsOf = ({ toolConfig }: Json): readonly Json[] =>
  listOf(jsonOf(toolConfig)['tools']).map((tool) => jsonOf(tool['toolSpec']));
const schemaOf = (spec: Json): Json => jsonOf(jsonOf(spec['inputSchema'])['json']);

export const converseRules: readonly Rule[] = [
  rule(
    { at: 'bedrock', page: conversePage },
    'toolUseId must match [a-zA-Z0-9_.:-]{1,64}',
    ({ messages }) =>
      findWithin(messages, (node) => 'toolUseId' in node && !/^[\w.:-]{1,64}$/.test(String(node['toolUseId']))),
    { messages: [{ content: [{ toolUse: { toolUseId: 'a b' } }] }] },
  ),
  rule(
    { at: 'bedrock', page: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html' },
    'roles must alternate, beginning with user',
    (body) => turnsOf(body).some(({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant')),
    { messages: [{ role: 'assistant', content: [] }] },
  ),
  rule(
    { at: 'bedrock', page: conversePage },
    'the text field is blank',
    ({ messages }) => findWithin(messages, (node) => typeof node['text'] === 'string' && node['text'].trim() === ''),
    { messages: [{ role: 'user', content: [{ text: '' }] }] },
  ),
  rule(
    { at: 'bedrock', page: conversePage },
    'toolConfig must be defined when using toolUse and toolResult blocks',
    (body) => body['toolConfig'] === undefined && findWithin(body['messages'], (node) => 'toolUse' in node),
    { messages: [{ role: 'user', content: [{ toolUse: { toolUseId: 'a' } }] }] },
  ),
  ...keywordRules(
    { at: 'bedrock', page: structured },
    {
      find: (body) =>
        specsOf(body)
          .filter(({ strict }) => strict === true)
          .map(schemaOf),
      write: (schema) => ({ toolConfig: { tools: [{ toolSpec: { strict: true, inputSchema: { json: schema } } }] } }),
    },
    [...bounds, ...relations],
  ),
  rule(
    { at: 'bedrock', page: 'https://github.com/anthropics/claude-code/issues/5319' },
    'input_schema does not support oneOf, allOf, or anyOf at the top level',
    (body) => specsOf(body).some((spec) => ['oneOf', 'allOf', 'anyOf'].some((name) => name in schemaOf(spec))),
    { toolConfig: { tools: [{ toolSpec: { inputSchema: { json: { anyOf: [] } } } }] } },
  ),
];

const cohere = 'https://docs.cohere.com/reference/chat';
export const cohereRules: readonly Rule[] = [
  rule(
    { at: 'cohere', page: cohere },
    'invalid tool_choice',
    ({ tool_choice: choice }) => choice === 'auto' || choice === 'required',
    { tool_choice: 'auto' },
  ),
  rule(
    { at: 'cohere', page: cohere },
    'an assistant with tool_calls has tool_plan in place of a text',
    (body) =>
      turnsOf(body).some(
        ({ tool_calls: calls, content }) =>
          listOf(calls).length > 0 &&
          (typeof content === 'string' || listOf(content).some(({ type }) => type !== 'thinking')),
      ),
    { messages: [{ role: 'assistant', content: 'a', tool_calls: [{}] }] },
  ),
  ...keywordRules(
    { at: 'cohere', page: 'https://docs.cohere.com/docs/parameter-types-in-json' },
    {
      find: (body) => [jsonOf(body['response_format'])['json_schema']],
      write: (schema) => ({ response_format: { json_schema: schema } }),
    },
    [...bounds, 'minItems', 'allOf', ...relations],
  ),
  rule({ at: 'cohere', page: cohere }, 'unknown member n', ({ n }) => n !== undefined, { n: 1 }),
];

const ollama = 'https://docs.ollama.com/api/chat';
export const ollamaRules: readonly Rule[] = [
  rule(
    { at: 'ollama', page: ollama },
    'arguments must be an object',
    (body) =>
      turnsOf(body).some((turn) =>
        listOf(turn['tool_calls']).some((call) => typeof jsonOf(call['function'])['arguments'] === 'string'),
      ),
    { messages: [{ tool_calls: [{ function: { arguments: '{}' } }] }] },
  ),
  rule(
    { at: 'ollama', page: ollama },
    'illegal base64 data',
    (body) =>
      turnsOf(body).some(
        ({ images }) => Array.isArray(images) && images.some((image) => !/^[\w+/=]+$/.test(String(image))),
      ),
    { messages: [{ images: ['data:image/png;base64,AA=='] }] },
  ),
];
