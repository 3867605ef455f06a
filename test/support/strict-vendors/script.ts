import { findWithin, jsonOf, listOf, type Json } from './rule.ts';

/** A call that the vendor's model makes. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  /** Of a custom tool: the text in place of arguments. */
  readonly text?: string;
  readonly namespace?: string;
}

/** What the vendor's model responds with. */
export interface Said {
  readonly text?: string;
  readonly calls: readonly ScriptedCall[];
  /** The number of this response in the loop, from 1. Each has a thought of its own. */
  readonly step: number;
}

/** The calls of each response. After them the loop ends with a text. */
const planned: readonly (readonly (readonly [tool: string, input: Json])[])[] = [
  [
    ['look_up', { city: 'Oslo' }],
    ['look_up', { city: 'Rome' }],
  ],
  [['now', {}]],
  [['look_up', { city: 'Paris' }]],
];
/** How many calls a whole loop makes. */
export const CALLS = planned.flat().length;
/** How many responses a whole loop has. */
export const STEPS = planned.length + 1;
/** The text of the last response. */
export const DONE = 'Sunny in all of them.';
export const GOOD_DAY = 'Good day.';

const isCall = (node: Json): boolean =>
  'functionCall' in node || 'toolUse' in node || node['type'] === 'tool_use' || node['type'] === 'function_call';

/** smolagents writes the calls of the history as text. */
const WRITTEN_CALL = /'type': 'function'/g;
const countCalls = (body: Json): number => {
  let count = 0;
  const see = (node: Json): boolean => {
    count += isCall(node) ? 1 : 0;
    if (typeof node['text'] === 'string') count += node['text'].match(WRITTEN_CALL)?.length ?? 0;
    return false;
  };
  for (const name of ['messages', 'input', 'contents']) findWithin(body[name], see);
  for (const { tool_calls: calls, content } of listOf(body['messages'])) {
    count += listOf(calls).length;
    if (typeof content === 'string') count += content.match(WRITTEN_CALL)?.length ?? 0;
  }
  return count;
};

/** The names of the tools that a request offers. Frameworks write names of their own before those of the tools. */
const offeredNames = (body: Json): readonly string[] => {
  const names: string[] = [];
  findWithin([body['tools'], jsonOf(body['toolConfig'])['tools']], ({ name }) => {
    if (typeof name === 'string') names.push(name);
    return false;
  });
  return names;
};

/**
 * What the model responds with to DSPy, which has fields in the text in place of tools. Its loop has one call for each
 * response, and ends with a question for the answer.
 */
const nextFields = (body: Json): string | undefined => {
  const asked = JSON.stringify(body);
  if (!asked.includes('[[ ## completed ## ]]')) return undefined;
  const [name, input] = planned.flat()[new Set(asked.match(/observation_\d+/g)).size] ?? ['finish', {}];
  const fields = asked.includes('[[ ## next_tool_name ## ]]')
    ? { next_thought: 'I look it up.', next_tool_name: name, next_tool_args: JSON.stringify(input) }
    : { reasoning: 'All are known.', answer: DONE };
  return [...Object.entries(fields), ['completed', '']]
    .map(([field, value]) => `[[ ## ${field} ## ]]\n${value}`)
    .join('\n\n');
};

/** What the identifiers of calls look like at vendors that have a form of their own. */
const idForms: Readonly<Record<string, (name: string, index: number) => string>> = {
  mistral: (_, index) => `c0000000${index}`,
  moonshot: (name, index) => `functions.${name}:${index}`,
};

/** How the model at `vendor` identifies a call: the name is of the tool, the index counts the calls before it. */
export const callId = (vendor: string, name: string, index: number): string =>
  idForms[vendor]?.(name, index) ?? `call_${index}`;

/** What the model at `vendor` responds with to a request of a loop: the step follows from the calls before it. */
export function nextOf(vendor: string, body: Json): Said {
  const fields = nextFields(body);
  if (fields !== undefined) return { text: fields, calls: [], step: 1 };
  const names = offeredNames(body);
  const find = (tool: string): string | undefined => names.find((name) => name.endsWith(tool));
  if (find('look_up') === undefined || find('now') === undefined) return { text: GOOD_DAY, calls: [], step: 1 };
  const made = countCalls(body);
  const begins = planned.map((_, index) => planned.slice(0, index).flat().length);
  const step = begins.indexOf(made) + 1;
  const named = (calls: readonly (readonly [tool: string, input: Json])[]): readonly ScriptedCall[] =>
    calls.map(([tool, input], index) => ({
      id: callId(vendor, tool, made + index),
      name: find(tool) ?? tool,
      input,
    }));
  if (step > 0) return { ...(step === 1 ? { text: 'I look both up.' } : {}), calls: named(planned[step - 1]!), step };
  // A framework that ends its loop with a call.
  const end = find('final_answer');
  if (end !== undefined) return { calls: named([['final_answer', { answer: DONE }]]), step: STEPS };
  return { text: DONE, calls: [], step: STEPS };
}

/**
 * Models that think unless a request turns it off, by vendor. https://docs.cohere.com/docs/reasoning,
 * https://docs.ollama.com/capabilities/thinking
 */
const think: Readonly<Record<string, RegExp>> = {
  deepseek: /./,
  moonshot: /./,
  zai: /./,
  openrouter: /./,
  cohere: /^command-a-(?:plus|reasoning)/,
  ollama: /^(?:qwen3|gpt-oss)/,
};
const asksFor = ({ thinking, include }: Json): boolean =>
  ['enabled', 'adaptive'].includes(String(jsonOf(thinking)['type'])) ||
  (Array.isArray(include) && include.includes('reasoning.encrypted_content'));

/** Whether a request lets the model think, in any of the members that vendors have for it. */
export const letsThink = (vendor: string, body: Json): boolean =>
  think[vendor]?.test(String(body['model'])) === true
    ? jsonOf(body['thinking'])['type'] !== 'disabled' && body['think'] !== false
    : asksFor(body) || asksFor(jsonOf(body['additionalModelRequestFields']));
