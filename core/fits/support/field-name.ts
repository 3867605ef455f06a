import type { FieldName, FieldNames, WireTraits } from '../../contracts/capabilities.ts';

/** The names that hold where a wire does not declare one. */
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
  effort: 'reasoning_effort',
  budget: 'reasoning.max_tokens',
  show: 'reasoning.exclude',
  reasoning: 'reasoning',
  verbosity: 'verbosity',
  user: 'user',
  serviceTier: 'service_tier',
  cacheKey: 'prompt_cache_key',
  store: 'store',
  cache: 'prompt_cache_breakpoint',
};

/** Members of the canonical form that are called otherwise than the field. */
const canonicalNames: FieldNames = { budget: 'reasoning.budget', show: 'reasoning.show' };

/** Those that stand in a request by themselves; `parts` is a step on the way to one. */
const fields = (Object.keys(commonNames) as FieldName[]).filter((field) => field !== 'parts');

/**
 * The name under which the client wrote a field: losses and errors speak of the client's own request, not of the
 * canonical form.
 */
export const describeField = ({ fieldNames }: WireTraits, field: FieldName): string =>
  fieldNames?.[field] ?? commonNames[field];

/** The names that the codec of a target may use for fields, prepared to be looked up. */
export interface KnownNames {
  readonly fields: ReadonlyMap<string, FieldName>;
  /** The length of the longest name. */
  readonly longest: number;
  /** `messages[2].content`: the number of the turn, and what follows. */
  readonly turn: RegExp;
  /** `.content[1].data`, behind a turn: the number of the part, and what follows. */
  readonly part: RegExp;
  /** The list of parts, with or without a number. */
  readonly parts: RegExp;
}

const anyOf = (...names: readonly string[]): string =>
  `(?:${[...new Set(names)].map((name) => RegExp.escape(name)).join('|')})`;

/**
 * Made once per target and wire, at load. A name means a field if it is the common name, the target's own, or the
 * canonical one; where two of these disagree, the common one holds.
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

/** The last `.` or `[` before `end`; 0 where there is none. */
const findStep = (name: string, end: number): number =>
  Math.max(0, name.lastIndexOf('.', end - 1), name.lastIndexOf('[', end - 1));

/**
 * A name that a codec gave, as the client calls it: the longest known beginning is exchanged for the client's own name.
 * Members that only one wire has keep their name.
 */
export function translateField(client: WireTraits, { fields, longest }: KnownNames, name: string): string {
  // A name may be as long as the body: only its beginning is looked up.
  const start = name.length <= longest ? name.length : findStep(name, longest + 1);
  for (let end = start; end > 0; end = findStep(name, end)) {
    const field = fields.get(name.slice(0, end));
    if (field !== undefined) return describeField(client, field) + name.slice(end);
  }
  return name;
}
