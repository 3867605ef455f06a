import type { Random } from '../random.ts';

/** A pattern of the grammar of the content filter, and texts that it matches. */
export interface FuzzPattern {
  readonly source: string;
  sample(random: Random): string;
}

const characters = ['a', 'b', 'A', '1', '_', '-', ' ', '\n', 'é'] as const;
/** Sets of characters, each with some of its members. */
const sets: readonly (readonly [source: string, ...members: readonly [string, ...string[]]])[] = [
  ['.', 'a', '-', 'é'],
  ['\\d', '1'],
  ['\\D', 'a', ' '],
  ['\\w', 'a', '_', '1'],
  ['\\W', '-', 'é', '\n'],
  ['\\s', ' ', '\n'],
  ['\\S', 'b', '1'],
  ['[ab]', 'a', 'b'],
  ['[^a]', 'b', '-', '\n'],
  ['[a-c1]', 'b', '1'],
  ['[^\\s\\d]', 'a', '_'],
  ['[\\w-]', '-', 'A'],
  ['\\x61', 'a'],
  ['\\u00e9', 'é'],
  ['\\n', '\n'],
  ['\\.', '.'],
];
const bounds = [
  ['?', 0, 1],
  ['{2}', 2, 2],
  ['{1,3}', 1, 3],
  ['{0,2}', 0, 2],
  ['{2,}', 2, 4],
  ['+', 1, 3],
  ['*', 0, 3],
] as const;

const makeAtom = (random: Random): FuzzPattern => {
  if (random.chance(0.45)) {
    const character = random.pick(characters);
    const source = { '\n': '\\n', '-': '\\-' }[character as string] ?? character;
    return { source, sample: () => character };
  }
  const [source, ...members] = random.pick(sets);
  return { source, sample: (other) => other.pick(members) };
};

/** Without a bound only outside of other repetitions: JavaScript would take exponential time. */
const repeat = ({ source, sample }: FuzzPattern, random: Random, isInside: boolean): FuzzPattern => {
  const [text, min, max] = random.pick(isInside ? bounds.slice(0, 4) : bounds);
  return {
    source: `(?:${source})${text}`,
    sample: (other) => Array.from({ length: min + other.below(max - min + 1) }, () => sample(other)).join(''),
  };
};

const makeNode = (random: Random, depth: number, isInside: boolean): FuzzPattern => {
  if (depth === 0 || random.chance(0.3)) return makeAtom(random);
  return random.pick<() => FuzzPattern>([
    () => {
      const nodes = Array.from({ length: 2 + random.below(2) }, () => makeNode(random, depth - 1, isInside));
      return {
        source: nodes.map(({ source }) => source).join(''),
        sample: (other) => nodes.map(({ sample }) => sample(other)).join(''),
      };
    },
    () => {
      const nodes = Array.from({ length: 2 + random.below(2) }, () => makeNode(random, depth - 1, isInside));
      const open = random.pick(['(', '(?:']);
      return {
        source: `${open}${nodes.map(({ source }) => source).join('|')})`,
        sample: (other) => other.pick(nodes).sample(other),
      };
    },
    () => repeat(makeNode(random, depth - 1, true), random, isInside),
    () => {
      const node = makeNode(random, depth - 1, isInside);
      return { source: random.pick(['\\b', '\\B']) + node.source, sample: (other) => node.sample(other) };
    },
  ])();
};

/** A random pattern that does not match the empty text. */
export function makePattern(random: Random): FuzzPattern {
  const [first, second] = [makeAtom(random), makeNode(random, 3, false)];
  const parts = random.chance(0.5) ? [first, second] : [second, first];
  const prefix = random.chance(0.3) ? '(?i)' : '';
  return {
    source: prefix + parts.map(({ source }) => source).join(''),
    sample: (other) => parts.map(({ sample }) => sample(other)).join(''),
  };
}

/**
 * Whether a stream shows no more than it may. Its parts are searched with the replacements of earlier parts, which
 * patterns such as `\W` match: then more is replaced.
 */
export const showsNoMore = (got: string, { text }: Redacted, replacement: string): boolean => {
  const allowed = text.split(replacement);
  return got.split(replacement).every((part) => allowed.some((each) => each.includes(part)));
};

/** The expressions of JavaScript backtrack: nested repetitions take 1.8 times as long with each character. */
const MOST_CHARACTERS = 14;
/** A text with matches, near matches and noise. */
export function makeText({ sample }: FuzzPattern, random: Random): string {
  const noise = (): string => Array.from({ length: random.below(6) }, () => random.pick(characters)).join('');
  let text = noise();
  for (let times = random.below(4); times > 0; times -= 1) {
    const match = sample(random);
    const near = random.chance(0.2) ? match.slice(0, -1) : match;
    text += (random.chance(0.2) ? near.toUpperCase() : near) + noise();
  }
  return text.slice(0, MOST_CHARACTERS);
}

const runsOf = (isCovered: readonly boolean[]): readonly (readonly [start: number, end: number])[] => {
  const runs: [number, number][] = [];
  for (const [at, covered] of isCovered.entries()) {
    const last = runs.at(-1);
    if (covered && last?.[1] === at) last[1] = at + 1;
    else if (covered) runs.push([at, at + 1]);
  }
  return runs;
};

/** A text as it must be shown. */
export interface Redacted {
  readonly text: string;
  /** Each run is one match, and no match depends on a place: a stream, which is read in parts, has the same runs. */
  readonly isSimple: boolean;
}

/**
 * The text with every run of characters that any match covers replaced: by the regular expressions of JavaScript, tried
 * for each beginning and each end.
 */
export function redact({ source }: FuzzPattern, text: string, replacement: string): Redacted {
  const isCovered = Array.from(text, () => false);
  const matches = new Set<string>();
  const ignoresCase = source.startsWith('(?i)');
  const plain = ignoresCase ? source.slice(4) : source;
  for (let end = 1; end <= text.length; end += 1) {
    const upToEnd = new RegExp(`(?:${plain})(?=[^]{${text.length - end}}$)`, ignoresCase ? 'iy' : 'y');
    for (let start = 0; start < end; start += 1) {
      upToEnd.lastIndex = start;
      if (!upToEnd.test(text)) continue;
      isCovered.fill(true, start, end);
      matches.add(`${start} ${end}`);
    }
  }
  const runs = runsOf(isCovered);
  let [shown, from] = ['', 0];
  for (const [start, end] of runs) {
    shown += text.slice(from, start) + replacement;
    from = end;
  }
  return {
    text: shown + text.slice(from),
    isSimple: !/\\b/i.test(source) && runs.every(([start, end]) => matches.has(`${start} ${end}`)),
  };
}
