import type { Json } from './lines.ts';

/** Members that hold text of the conversation or descriptions of tools, on any wire. */
const textMembers: ReadonlySet<string> = new Set([
  'text',
  'content',
  'system',
  'instructions',
  'input',
  'output',
  'description',
]);
/** Members for their vendor only: reasoning and its proofs. */
const isPrivate = ({ type, thought }: Json): boolean =>
  thought === true || ['thinking', 'redacted_thinking', 'reasoning'].includes(String(type));

const collect = (value: unknown, member: string, found: Set<string>): void => {
  if (typeof value === 'string') {
    if (textMembers.has(member) && value.trim() !== '') found.add(value.trim());
  } else if (Array.isArray(value)) for (const item of value) collect(item, member, found);
  else if (typeof value === 'object' && value !== null && !isPrivate(value as Json))
    for (const [name, child] of Object.entries(value)) collect(child, name, found);
};

/** All texts of a request. */
export const listTexts = (body: Json): readonly string[] => {
  const found = new Set<string>();
  collect(body, '', found);
  return [...found];
};

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

/** JSON in a text is an object on some wires, and has escaped quotes within another text. */
const spellings = (text: string): readonly string[] => {
  try {
    return [quoted(text), quoted(quoted(text)), JSON.stringify(JSON.parse(text))];
  } catch {
    return [quoted(text), quoted(quoted(text))];
  }
};

/** The words of one request that are missing in another. */
export const listMissing = (texts: readonly string[], body: Json): readonly string[] => {
  const whole = JSON.stringify(body);
  return texts.filter((text) => !spellings(text).some((spelling) => whole.includes(spelling)));
};
