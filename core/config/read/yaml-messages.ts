import type { Document, YAMLError } from 'yaml';
import { yamlLibrary } from './yaml-library.ts';

/** A problem of the YAML, in the words of a person who writes configurations. */
export interface YamlFlaw {
  readonly offset: number;
  readonly message: string;
}

interface Line {
  /** Starts at 1. */
  readonly number: number;
  /** Offset of the first character that is not a space. */
  readonly start: number;
  readonly indent: number;
  readonly text: string;
}

const listLines = (text: string): readonly Line[] => {
  let offset = 0;
  return text.split('\n').map((line, index) => {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const found = { number: index + 1, start: offset + indent, indent, text: line.trim() };
    offset += line.length + 1;
    return found;
  });
};

const isContent = ({ text }: Line): boolean => text !== '' && !text.startsWith('#');

const spaces = (count: number): string => (count === 0 ? 'no space' : count === 1 ? '1 space' : `${count} spaces`);

/** The lines above that this one could belong beside, nearest first: each is less indented than the one below it. */
const listSections = (lines: readonly Line[], at: Line): readonly Line[] => {
  const sections: Line[] = [];
  for (let index = at.number - 2; index >= 0 && sections.at(-1)?.indent !== 0; index -= 1) {
    const line = lines[index];
    if (line !== undefined && isContent(line) && line.indent < (sections.at(-1)?.indent ?? Infinity))
      sections.push(line);
  }
  return sections;
};

const describeIndent = (lines: readonly Line[], at: Line): string => {
  const fitting = listSections(lines, at)
    .toSorted((one, other) => Math.abs(one.indent - at.indent) - Math.abs(other.indent - at.indent))
    .slice(0, 2)
    .map(({ indent, number }) => `${spaces(indent)} as line ${number}`);
  return (
    `This line is indented by ${spaces(at.indent)}, which fits no line above it: ` +
    `settings of one section begin in the same column. Indent it by ${fitting.join(', or by ')}.`
  );
};

/** `{` or `[` above an offset that is not closed. Brackets in quotes and comments do not count. */
const findOpen = (text: string): number | undefined => {
  const open: number[] = [];
  const tokens = /"(?:\\.|[^"\\])*"|(?<=^|[\s[{,:])'(?:[^']|'')*'|(?<=^|\s)#.*|[{}[\]]/gm;
  for (const { 0: token, index } of text.matchAll(tokens))
    if (token === '{' || token === '[') open.push(index);
    else if (token === '}' || token === ']') open.pop();
  return open.at(-1);
};

interface Reading {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly lines: readonly Line[];
}

type Describe = (error: YAMLError, reading: Reading) => YamlFlaw | string;

/** The last line that begins before an offset. It is searched by halves: a file can have as many errors as lines. */
const lineAt = ({ lines }: Reading, offset: number): Line => {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const line = lines[middle];
    if (line !== undefined && line.start - line.indent <= offset) low = middle + 1;
    else high = middle;
  }
  return lines[low - 1] ?? { number: 1, start: 0, indent: 0, text: '' };
};

const describeUnclosed = (offset: number, text: string): YamlFlaw | string => {
  const open = findOpen(text.slice(0, offset));
  if (open === undefined) return 'A "}" or "]" is missing before here.';
  return {
    offset: open,
    message:
      `This "${text[open]}" is not closed: ` +
      `"${text[open] === '{' ? '}' : ']'}" is missing, or its line is not indented.`,
  };
};

const describeBadIndent: Describe = ({ pos: [offset], message }, reading) => {
  if (message.startsWith('Flow ')) return describeUnclosed(offset, reading.text);
  const at = lineAt(reading, offset);
  return { offset: at.start, message: describeIndent(reading.lines, at) };
};

/** Two keys in one line, or a line that is indented below a value. */
const describeNested: Describe = (error, reading) => {
  if (error.message.startsWith('A block sequence')) return describeBadIndent(error, reading);
  const at = lineAt(reading, error.pos[0]);
  const next = reading.lines.slice(at.number).find(isContent);
  if (next === undefined || next.indent <= at.indent || /:\s.*:(?:\s|$)/.test(at.text))
    return 'A second key begins in this line. Write it in a line of its own, or write the value in quotes.';
  const message =
    `This line is indented below line ${at.number}, which has a value already. ` +
    `Indent it by ${spaces(at.indent)} as line ${at.number}, or remove that value.`;
  return { offset: next.start, message };
};

export const TOO_DEEP = 'The file is nested too deeply.';
export const NO_ALIAS = 'A value or key that begins with * must be in quotes.';
const NO_SETTING = 'This line is no setting: write "name: value", or in a list "- value".';

/** A line without a key: the colon or the space behind it is missing. */
const describeNoKey: Describe = ({ pos: [offset] }, reading) => {
  const { start, text } = lineAt(reading, offset);
  const [, key] = /^(?:- )?([\w.-]+):\S/.exec(text) ?? [];
  return { offset: start, message: key === undefined ? NO_SETTING : `A space is missing after "${key}:".` };
};

/** Where the last quote before an offset begins. */
const findQuote = ({ text, document }: Reading, offset: number): number => {
  let begin = offset;
  yamlLibrary().visit(document, {
    Scalar: (_, { range }) => {
      if (range && range[0] < offset && /["']/.test(text[range[0]] ?? '')) begin = range[0];
    },
  });
  return begin;
};

const describeMissing: Describe = ({ pos: [offset], message }, reading) => {
  if (message.startsWith('Missing closing '))
    return { offset: findQuote(reading, offset), message: 'This quote is not closed.' };
  if (message.startsWith('Flow ')) return describeUnclosed(offset, reading.text);
  if (message.startsWith('Missing , between')) return 'A comma is missing before this item.';
  if (message.startsWith('Missing space after')) return 'A space is missing after ":".';
  if (message.startsWith('Comments must')) return 'A "#" that begins a comment needs a space before it.';
  return message.startsWith('Implicit map keys') ? NO_SETTING : `${message}.`;
};

const describers: Partial<Readonly<Record<YAMLError['code'], Describe>>> = {
  MULTIPLE_DOCS: () => 'A second YAML document begins here (---). A file can have only one.',
  RESOURCE_EXHAUSTION: () => TOO_DEEP,
  NON_STRING_KEY: ({ pos: [offset] }, { text }) => (text[offset] === '*' ? NO_ALIAS : 'A key must be text.'),
  TAB_AS_INDENT: () => 'This line is indented with a tab. Use spaces.',
  BAD_INDENT: describeBadIndent,
  BLOCK_AS_IMPLICIT_KEY: describeNested,
  MULTILINE_IMPLICIT_KEY: describeNoKey,
  MISSING_CHAR: describeMissing,
  BLOCK_IN_FLOW: () => 'Between { and }, or [ and ], settings are separated by commas.',
  BAD_SCALAR_START: ({ message }) => `A value cannot begin with ${message.at(-1)}. Write it in quotes.`,
  BAD_ALIAS: ({ message }) =>
    message.startsWith('Alias') ? NO_ALIAS : 'A value or key that begins with & must be in quotes.',
  BAD_DQ_ESCAPE: () => 'A backslash between double quotes begins an escape. Write it twice, or use single quotes.',
  TAG_RESOLVE_FAILED: () => 'A value that begins with ! must be in quotes.',
  UNEXPECTED_TOKEN: () => 'This is not expected here. Look for a bracket, a comma or a quote that is wrong before it.',
};

/**
 * Without what follows from an earlier error: further ones of its line, and all that an open bracket or quote takes in.
 */
const withoutNoise = (errors: readonly YAMLError[], reading: Reading): readonly YAMLError[] => {
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted !== undefined) return [exhausted];
  const open = errors.findIndex(({ message }) => /^(?:Flow |Missing closing )/.test(message));
  const own = open === -1 ? errors : errors.slice(0, open + 1);
  const lines = new Map<number, YAMLError>();
  for (const error of own) {
    const { number } = lineAt(reading, error.pos[0]);
    // The least exact of them.
    if ((lines.get(number)?.code ?? 'MULTILINE_IMPLICIT_KEY') === 'MULTILINE_IMPLICIT_KEY') lines.set(number, error);
  }
  return [...lines.values()];
};

/** Says what is wrong with the YAML, where, and what to do. The messages of the library are for programmers. */
export function describeYamlErrors(
  errors: readonly YAMLError[],
  text: string,
  document: Document.Parsed,
): readonly YamlFlaw[] {
  if (errors.length === 0) return [];
  const reading: Reading = { text, document, lines: listLines(text) };
  return withoutNoise(errors, reading).map((error) => {
    const described = describers[error.code]?.(error, reading) ?? `${error.message.replace(/\.$/, '')}.`;
    return typeof described === 'string' ? { offset: error.pos[0], message: described } : described;
  });
}
