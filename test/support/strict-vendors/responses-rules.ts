import { findWithin, jsonOf, listOf, rule, type Json, type Rule } from './rule.ts';
import { hasOpenObject, hasOptional, keywordRules, relations, schemaWith } from './schema-words.ts';
import { isProof } from './written.ts';

const page = 'https://platform.openai.com/docs/api-reference/responses/create';
const strictPage = 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas';
const at = 'responses';

const itemsOf = ({ input }: Json): readonly Json[] => listOf(input);
const idsOf = (body: Json, type: string): readonly unknown[] =>
  itemsOf(body).flatMap((item) => (item['type'] === type ? [item['call_id']] : []));
const formatOf = ({ text }: Json): Json => jsonOf(jsonOf(text)['format']);
const strictSchemas = (body: Json): readonly unknown[] => [
  ...[formatOf(body)].filter(({ strict }) => strict === true).map(({ schema }) => schema),
  ...listOf(body['tools'])
    .filter(({ type, strict }) => type === 'function' && strict === true)
    .map(({ parameters }) => parameters),
];
const strictFormat = (schema: Json): Json => ({ text: { format: { type: 'json_schema', strict: true, schema } } });
const partsBy: Readonly<Record<string, RegExp>> = { assistant: /^(?:output_text|refusal)$/, user: /^input_/ };

/** The wire responses, of OpenAI. */
export const responsesRules: readonly Rule[] = [
  ...['messages', 'max_tokens', 'max_completion_tokens', 'response_format', 'reasoning_effort', 'stop'].map((name) =>
    rule({ at, page }, `unknown parameter ${name}`, (body) => body[name] !== undefined, { [name]: 1 }),
  ),
  rule(
    { at, page },
    'no tool output found for function call',
    (body) => idsOf(body, 'function_call').some((id) => !idsOf(body, 'function_call_output').includes(id)),
    { input: [{ type: 'function_call', call_id: 'a' }] },
  ),
  rule(
    { at, page },
    'no tool call found for function call output',
    (body) =>
      body['previous_response_id'] === undefined &&
      idsOf(body, 'function_call_output').some((id) => !idsOf(body, 'function_call').includes(id)),
    { input: [{ type: 'function_call_output', call_id: 'a' }] },
  ),
  rule(
    { at, page },
    'invalid type of a content part',
    (body) =>
      itemsOf(body).some(({ role, content }) =>
        listOf(content).some(({ type }) => partsBy[String(role)]?.test(String(type)) === false),
      ),
    { input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'a' }] }] },
  ),
  rule(
    { at, page: 'https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items' },
    'the encrypted content could not be verified',
    ({ input }) =>
      findWithin(input, (item) => item['type'] === 'reasoning' && !isProof(String(item['encrypted_content']))),
    { input: [{ type: 'reasoning', encrypted_content: 'a' }] },
  ),
  rule(
    { at, page },
    'tool name must match ^[a-zA-Z0-9_-]+$',
    ({ tools }) => listOf(tools).some(({ type, name }) => type === 'function' && !/^[\w-]+$/.test(String(name))),
    { tools: [{ type: 'function', name: 'a.b' }] },
  ),
  rule(
    { at, page: strictPage },
    'additionalProperties must be false',
    (body) => strictSchemas(body).some(hasOpenObject),
    strictFormat({ type: 'object' }),
  ),
  rule(
    { at, page: strictPage },
    'required must list every key',
    (body) => strictSchemas(body).some(hasOptional),
    strictFormat({ ...schemaWith({}), required: [] }),
  ),
  ...keywordRules({ at, page: strictPage }, { find: strictSchemas, write: strictFormat }, [
    'allOf',
    'oneOf',
    'uniqueItems',
    ...relations,
  ]),
];
