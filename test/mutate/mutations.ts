import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';
import { shuffle } from '../run/shuffle.ts';

/** One changed line of a source. */
export interface Mutation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

type Change = readonly [pattern: RegExp, replacement: string | ((text: string) => string)];

/** Each changes what a line does, if it stands in code and not in a text. */
const changes: readonly Change[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ < /, ' >= '],
  [/ > /, ' <= '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \?\? /, ' && '],
  [/ \+ /, ' - '],
  [/ - /, ' + '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/(?<![\w.'"`-])\d+(?![\w.'"`-])/, (text) => String(Number(text) + 1)],
  [/\bif \(/, 'if (!'],
  // A statement that calls a function.
  [/^ +(?:await |void )?[\w.#?]+\(.*\);$/, ''],
];

/** Comments, imports, types, declarations and texts of several lines. */
const NO_CODE =
  /^\s*(?:\/\/|\/?\*|import\b|export (?:type|interface|\{|\*)|type\b|interface\b|readonly\b)|[`\\]|'.* .*'/;

const mutate = (line: string, [pattern, replacement]: Change): string => {
  const changed =
    typeof replacement === 'string' ? line.replace(pattern, replacement) : line.replace(pattern, replacement);
  // A negated condition is closed where it ends, if that is on this line.
  return replacement === 'if (!' ? line.replace(/\bif \((.*)\)( \S.*)$/, 'if (!($1))$2') : changed;
};

/** What is no TypeScript would be noticed by any test that loads it. */
const isParsed = (text: string): boolean => parseSync('source.ts', text).errors.length === 0;

const mutationsOf = (file: string): readonly Mutation[] => {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((before, index) =>
    NO_CODE.test(before)
      ? []
      : changes
          .map((change) => ({ file, line: index + 1, before, after: mutate(before, change) }))
          .filter(({ after }) => after !== before && isParsed(lines.with(index, after).join('\n'))),
  );
};

/** Mutations of core, providers and plugins: the same for the same seed and sources, at most one in a file. */
export const chooseMutations = (count: number, seed: number): readonly Mutation[] => {
  const files = shuffle(globSync('{core,providers,plugins}/**/*.ts').toSorted(), seed);
  const chosen: Mutation[] = [];
  for (const file of files) {
    if (chosen.length === count) break;
    const [one] = shuffle(mutationsOf(file), seed);
    if (one !== undefined) chosen.push(one);
  }
  return chosen;
};
