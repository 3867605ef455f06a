import { turnsOf, callsOf, says, call, formatOf, strictSchemas, strictFormat, lacksResult } from './chat-shape.ts';
import { efforts, jsonOf, listOf, members, rule, type Rule } from './rule.ts';
import { hasOpenObject, hasOptional, keywordRules, relations, schemaWith } from './schema-words.ts';

const openai = 'https://platform.openai.com/docs/api-reference/chat/create';
const strictPage = 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas';
const mistral = 'https://docs.mistral.ai/api/endpoint/chat';

const openaiRules: readonly Rule[] = [
  ...members({ at: 'openai', models: /^(?:o\d|gpt-5|gpt-6)/, model: 'gpt-5', page: openai }, ['max_tokens']),
  rule({ at: 'openai', page: openai }, 'a call without its result', lacksResult, says([call('c')])),
  rule(
    { at: 'openai', page: 'https://platform.openai.com/docs/guides/structured-outputs#json-mode' },
    'messages must contain the word json',
    (body) => formatOf(body)['type'] === 'json_object' && !/json/i.test(JSON.stringify(body['messages'])),
    says([{ role: 'user', content: 'a' }], { response_format: { type: 'json_object' } }),
  ),
  rule(
    { at: 'openai', page: strictPage },
    'additionalProperties must be false',
    (body) => strictSchemas(body).some(hasOpenObject),
    strictFormat({ type: 'object' }),
  ),
  rule(
    { at: 'openai', page: strictPage },
    'required must list every key',
    (body) => strictSchemas(body).some(hasOptional),
    strictFormat({ ...schemaWith({}), required: [] }),
  ),
  ...keywordRules({ at: 'openai', page: strictPage }, { find: strictSchemas, write: strictFormat }, [
    'allOf',
    'oneOf',
    'uniqueItems',
    ...relations,
  ]),
  rule(
    { at: 'openai', page: strictPage },
    'the root must not be anyOf',
    (body) => strictSchemas(body).some((schema) => jsonOf(schema)['anyOf'] !== undefined),
    strictFormat({ anyOf: [] }),
  ),
  rule(
    { at: 'openai', page: openai },
    'tool name must match ^[a-zA-Z0-9_-]{1,64}$',
    ({ tools }) => listOf(tools).some((tool) => !/^[\w-]{1,64}$/.test(String(jsonOf(tool['function'])['name']))),
    { tools: [{ type: 'function', function: { name: 'a.b' } }] },
  ),
];

const mistralMembers = ['logit_bias', 'service_tier', 'store', 'stream_options', 'top_k', 'user', 'verbosity'];
const mistralRules: readonly Rule[] = [
  ...members({ at: 'mistral', page: mistral }, [...mistralMembers, 'max_completion_tokens', 'seed', 'reasoning']),
  rule(
    { at: 'mistral', page: 'https://docs.mistral.ai/capabilities/function_calling/' },
    'tool call id must have 9 letters and digits',
    (body) => turnsOf(body).some((turn) => callsOf(turn).some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(String(id)))),
    says([call('call_1')]),
  ),
  rule({ at: 'mistral', page: mistral }, 'unknown tool_choice', (body) => body['tool_choice'] === 'required', {
    tool_choice: 'required',
  }),
  rule(
    { at: 'mistral', page: mistral },
    'parameters: field required',
    ({ tools }) => listOf(tools).some((tool) => jsonOf(tool['function'])['parameters'] === undefined),
    { tools: [{ type: 'function', function: { name: 'a' } }] },
  ),
  efforts({ at: 'mistral', page: 'https://docs.mistral.ai/resources/cookbooks/mistral-reasoning' }, ['none', 'high']),
];

/** OpenAI and Mistral. */
export const chatRules: readonly Rule[] = [...openaiRules, ...mistralRules];
