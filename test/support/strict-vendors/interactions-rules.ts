import { keywordRules, relations } from './schema-words.ts';
import { jsonOf, listOf, rule, type Json, type Page, type Rule } from './rule.ts';
import { isProof } from './written.ts';

const page = 'https://ai.google.dev/api/interactions-api';
const at = 'interactions';
const steps: Page = { at, page: 'https://ai.google.dev/gemini-api/docs/interactions' };

/** The steps. Results can stand in what the user sends: https://github.com/vercel/ai/tree/main/packages/google */
const inputOf = ({ input }: Json): readonly Json[] =>
  listOf(input).flatMap((step) => [
    step,
    ...(step['type'] === 'user_input' ? listOf(step['content']).filter(({ type }) => type === 'function_result') : []),
  ]);

const known: ReadonlySet<string> = new Set([
  'model',
  'input',
  'system_instruction',
  'tools',
  'generation_config',
  'response_format',
  'response_mime_type',
  'response_modalities',
  'previous_interaction_id',
  'service_tier',
  'background',
  'labels',
  'store',
  'stream',
]);
const settings: ReadonlySet<string> = new Set([
  'max_output_tokens',
  'temperature',
  'top_p',
  'seed',
  'stop_sequences',
  'thinking_level',
  'thinking_summaries',
  'tool_choice',
]);
const types: ReadonlySet<unknown> = new Set([
  'user_input',
  'model_output',
  'thought',
  'function_call',
  'function_result',
]);

const hasOther = (members: unknown, names: ReadonlySet<string>): boolean =>
  Object.keys(jsonOf(members)).some((name) => !names.has(name));

/** What is said on this wire comes in steps, each with its type. */
export const interactionsRules: readonly Rule[] = [
  rule({ at, page }, 'unknown parameter', (body) => hasOther(body, known), { top_k: 1 }),
  rule(
    { at, page },
    'unknown parameter in generation_config',
    (body) => hasOther(body['generation_config'], settings),
    { generation_config: { presence_penalty: 1 } },
  ),
  rule(
    { at, page },
    'thinking_level must be minimal, low, medium or high',
    ({ generation_config: config }) =>
      !['undefined', 'minimal', 'low', 'medium', 'high'].includes(String(jsonOf(config)['thinking_level'])),
    { generation_config: { thinking_level: 'none' } },
  ),
  rule(steps, 'unknown type of a step', (body) => inputOf(body).some(({ type }) => !types.has(type)), {
    input: [{ type: 'message' }],
  }),
  rule(
    steps,
    'a function_call needs a function_result with its id as call_id',
    (body) => {
      const results = new Set(inputOf(body).map((step) => step['call_id']));
      return inputOf(body).some(({ type, id }) => type === 'function_call' && !results.has(id));
    },
    { input: [{ type: 'function_call', id: 'a' }] },
  ),
  rule(
    steps,
    'a function_result needs the function_call of its call_id before it',
    (body) =>
      inputOf(body).some(
        ({ type, call_id: id }, index, all) =>
          type === 'function_result' &&
          !all.slice(0, index).some((step) => step['type'] === 'function_call' && step['id'] === id),
      ),
    { input: [{ type: 'function_result', call_id: 'a' }] },
  ),
  rule(
    { at, page: 'https://ai.google.dev/gemini-api/docs/thought-signatures' },
    'invalid thought signature',
    (body) => inputOf(body).some(({ type, signature }) => type === 'thought' && !isProof(String(signature))),
    { input: [{ type: 'thought', signature: 'bm8=' }] },
  ),
  rule(
    steps,
    'arguments must be an object',
    (body) => inputOf(body).some(({ type, arguments: input }) => type === 'function_call' && jsonOf(input) !== input),
    { input: [{ type: 'function_call', id: 'a', arguments: '{}' }] },
  ),
  ...keywordRules(
    { at, page: 'https://ai.google.dev/gemini-api/docs/structured-output' },
    {
      find: ({ response_format: format }) => [jsonOf(format)['schema']],
      write: (schema) => ({ response_format: { schema } }),
    },
    ['exclusiveMinimum', 'minLength', 'maxLength', 'pattern', 'multipleOf', 'uniqueItems', 'allOf', ...relations],
  ),
];
