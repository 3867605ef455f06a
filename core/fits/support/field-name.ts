import { escapeRegExp } from '../../canonical/text/escape-reg-exp.ts';
import type { FieldName, FieldNames, WireTraits } from '../../contracts/capabilities.ts';

/** Default names, for wires that do not declare one. */
const commonNames: Readonly<Record<FieldName, string>> = {
  conversation: 'messages',
  parts: 'content',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelTools: 'parallel_tool_calls',
  output: 'response_format',
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stop: 'stop',
  choices: 'n',
  logprobs: 'logprobs',
  topLogprobs: 'top_logprobs',
  effort: 'reasoning_effort',
  budget: 'reasoning.max_tokens',
  show: 'reasoning.exclude',
  reasoning: 'reasoning',
  verbosity: 'verbosity',
  user: 'user',
  serviceTier: 'service_tier',
  cacheKey: 'prompt_cache_key',
  store: 'store',
  stream: 'stream',
  cache: 'prompt_cache_breakpoint',
};

/** Fields with another name in the canonical form. */
const canonicalNames: FieldNames = { budget: 'reasoning.budget', show: 'reasoning.show' };

/** Fields that occur at the top level of a name; `parts` occurs within one. */
const fields = (Object.keys(commonNames) as FieldName[]).filter((field) => field !== 'parts');

/** The client's name of a field: losses and errors refer to the client's request, not to the canonical form. */
export const describeField = ({ fieldNames }: WireTraits, field: FieldName): string =>
  fieldNames?.[field] ?? commonNames[field];

/** The names that the codec of a target can use for fields, prepared for lookup. */
export interface KnownNames {
  readonly fields: ReadonlyMap<string, FieldName>;
  /** Length of the longest name. */
  readonly longest: number;
  /** `messages[2].content`: the index of the turn, and the remainder. */
  readonly turn: RegExp;
  /** `.content[1].data`, after a turn: the index of the part, and the remainder. */
  readonly part: RegExp;
  /** The list of parts, with or without an index. */
  readonly parts: RegExp;
}

const anyOf = (...names: readonly string[]): string => `(?:${[...new Set(names)].map(escapeRegExp).join('|')})`;

/**
 * Called once per wire. A name refers to a field if it is the common name, the target's own name,
 * or the canonical one; on a conflict the common name wins.
 */
export function compileNames({ fieldNames = {} }: WireTraits): KnownNames {
  const known = new Map<string, FieldName>();
  for (const names of [commonNames, fieldNames, canonicalNames]) {
    for (const field of fields) {
      const name = names[field];
      if (name !== undefined && !known.has(name)) known.set(name, field);
    }
  }
  for (const field of fields) if (!known.has(field)) known.set(field, field);
  const turns = anyOf(commonNames.conversation, fieldNames.conversation ?? commonNames.conversation, 'turns');
  const parts = anyOf(fieldNames.parts ?? commonNames.parts, 'parts');
  return {
    fields: known,
    longest: Math.max(...[...known.keys()].map(({ length }) => length)),
    turn: new RegExp(`^${turns}\\[(?<turn>\\d+)\\](?<tail>.*)$`),
    part: new RegExp(`^\\.${parts}\\[(?<part>\\d+)\\](?<tail>.*)$`),
    parts: new RegExp(`^\\.${parts}\\b(?:\\[\\d+\\])?`),
  };
}

/** The offset of the last `.` or `[` before `end`; 0 if there is none. */
const findStep = (name: string, end: number): number =>
  Math.max(0, name.lastIndexOf('.', end - 1), name.lastIndexOf('[', end - 1));

/**
 * Translates a name from a codec to the client's name: the longest known prefix is replaced. Members of one wire only
 * keep their name.
 */
export function translateField(client: WireTraits, { fields, longest }: KnownNames, name: string): string {
  // A name can be as long as the body: only its beginning is looked up.
  const start = name.length <= longest ? name.length : findStep(name, longest + 1);
  for (let end = start; end > 0; end = findStep(name, end)) {
    const field = fields.get(name.slice(0, end));
    if (field !== undefined) return describeField(client, field) + name.slice(end);
  }
  return name;
}
