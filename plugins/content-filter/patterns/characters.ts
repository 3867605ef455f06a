/** Pairs of first and last code unit. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** Whether a code unit is in a set. */
export type CharacterSet = (code: number) => boolean;

const ALL = 0xff_ff;
const LINE_END = 10;

export const classes: Readonly<Record<string, Ranges>> = {
  d: [[48, 57]],
  w: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  s: [
    [9, 13],
    [32, 32],
    [0xa0, 0xa0],
    [0x20_28, 0x20_29],
    [0xfe_ff, 0xfe_ff],
  ],
};

const isWordAscii = Uint8Array.from({ length: 128 }, (_, code) =>
  (classes['w'] ?? []).some(([first, last]) => code >= first && code <= last) ? 1 : 0,
);
export const isWord = (code: number): boolean => isWordAscii[code] === 1;

/** Everything that is in none of the ranges. */
export function invert(ranges: Ranges): Ranges {
  const inverted: [number, number][] = [];
  let from = 0;
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    if (first > from) inverted.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  if (from <= ALL) inverted.push([from, ALL]);
  return inverted;
}

/** `.` is any character but a line end. */
export const anyCharacter: Ranges = invert([[LINE_END, LINE_END]]);

/** Both cases of a code unit, where each is one code unit. */
const casesOf = (code: number): readonly number[] => {
  const text = String.fromCharCode(code);
  return [text.toLowerCase(), text.toUpperCase()].flatMap((other) => (other.length === 1 ? other.charCodeAt(0) : []));
};

/** Letter case is ignored before the set is negated: `[^a]` has neither `a` nor `A`. */
export function createSet(
  { ranges, isNegated = false }: { readonly ranges: Ranges; readonly isNegated?: boolean },
  ignoresCase: boolean,
): CharacterSet {
  const includes = (code: number): boolean => ranges.some(([first, last]) => code >= first && code <= last);
  const test = (code: number): boolean =>
    (includes(code) || (ignoresCase && casesOf(code).some(includes))) !== isNegated;
  const ascii = Array.from({ length: 128 }, (_, code) => test(code));
  return (code) => ascii[code] ?? test(code);
}
