const MAX_WIDTH = 140;
/** How much of a longer line is shown before the caret. */
const BEFORE = 100;

/** Characters that terminals draw two columns wide, a subset of https://www.unicode.org/reports/tr11/. */
const WIDE = new RegExp(
  String.raw`\p{Emoji_Presentation}` +
    String.raw`|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff]` +
    String.raw`|[\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]`,
  'u',
);
/** Control characters: a terminal would execute them. */
const CONTROLS = /(?!\t)\p{Cc}/gu;

/** Spaces that are as wide as the text is drawn. */
const blank = (text: string): string => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  return Array.from(graphemes, ({ segment }) => (segment === '\t' ? '\t' : WIDE.test(segment) ? '  ' : ' ')).join('');
};

/** The line, the line above it, and a caret below the column. A long line is cut to the part around the column. */
export function describeFrame(lines: readonly string[], line: number, column: number): string {
  const width = String(line).length;
  const from = column - 1 < MAX_WIDTH ? 0 : column - 1 - BEFORE;
  const cut = (number: number): string =>
    (lines[number - 1] ?? '').slice(from, from + MAX_WIDTH).replace(CONTROLS, '\ufffd');
  const show = (number: number, mark: string): string =>
    `${mark} ${String(number).padStart(width)} | ${from > 0 ? '…' : ''}${cut(number)}`.trimEnd();
  const above = line > 1 ? [show(line - 1, ' ')] : [];
  return [
    ...above,
    show(line, '>'),
    `  ${' '.repeat(width)} | ${from > 0 ? ' ' : ''}${blank(cut(line).slice(0, column - 1 - from))}^`,
  ].join('\n');
}
