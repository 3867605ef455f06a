import { jsonOf, listOf, rule, type Json, type Rule } from './rule.ts';

export const turnsOf = ({ messages }: Json): readonly Json[] => listOf(messages);
export const callsOf = (turn: Json): readonly Json[] => listOf(turn['tool_calls']);
export const says = (messages: readonly Json[], more: Json = {}): Json => ({ messages, ...more });
export const call = (id: string): Json => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
});
export const formatOf = ({ response_format: format }: Json): Json => jsonOf(format);
export const strictSchemas = (body: Json): readonly unknown[] => [
  ...[jsonOf(formatOf(body)['json_schema'])].filter(({ strict }) => strict === true).map(({ schema }) => schema),
  ...listOf(body['tools'])
    .map((tool) => jsonOf(tool['function']))
    .filter(({ strict }) => strict === true)
    .map(({ parameters }) => parameters),
];
export const strictFormat = (schema: Json): Json => ({
  response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } },
});

/** A turn with calls must be followed by a result of each. */
export const lacksResult = (body: Json): boolean => {
  const turns = turnsOf(body);
  return turns.some((turn, index) => {
    const next = turns.slice(index + 1, index + 1 + callsOf(turn).length);
    return callsOf(turn).some(({ id }) => !next.some((one) => one['role'] === 'tool' && one['tool_call_id'] === id));
  });
};
export const isDeveloper = ({ role }: Json): boolean => role === 'developer';
export const lacksReasoning = (turn: Json): boolean =>
  callsOf(turn).length > 0 && (turn['reasoning_content'] ?? '') === '';

/** What servers of this kind refuse, with one page for each vendor. */
export const common = (at: string, page: string): readonly Rule[] => [
  rule(
    { at, page },
    'unknown role developer',
    (body) => turnsOf(body).some(isDeveloper),
    says([{ role: 'developer' }]),
  ),
  rule({ at, page }, 'a call without its result', lacksResult, says([call('c'), { role: 'user', content: 'a' }])),
];
