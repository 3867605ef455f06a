import { expect } from 'chai';
import { readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Case {
  readonly number: string;
  readonly files: readonly string[];
}

/** `| E26 | … | … | \`file\`, \`file\` |` */
const cases: readonly Case[] = read('docs/reference/edge-cases.md')
  .split('\n')
  .flatMap((line) => {
    const [, number, ...cells] = line
      .split(' | ')
      .flatMap((cell, index) => (index === 0 ? ['', cell.replace('| ', '')] : [cell]));
    return number !== undefined && /^E\d+$/.test(number)
      ? [{ number, files: [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file) }]
      : [];
  });

/** A line that names a test, or a case of the matrix, and has the number in it. */
const names = (source: string, number: string): boolean =>
  source
    .split('\n')
    .some((line) => /\b(?:it|describe|title|name)\b/.test(line) && new RegExp(`\\b${number}\\b`).test(line));

describe('the page of edge cases', () => {
  it('lists all sixty edge cases in order', () => {
    expect(cases.map(({ number }) => number)).to.deep.equal(
      Array.from({ length: 60 }, (_one, index) => `E${index + 1}`),
    );
  });
  it('marks exactly one edge case as not yet supported', () => {
    expect(cases.filter(({ files }) => files.length === 0).map(({ number }) => number)).to.deep.equal(['E45']);
  });
  for (const { number, files } of cases) {
    for (const file of files)
      it(`${number} is named by a test in ${file}`, () => expect(names(read(file), number)).to.equal(true));
  }
});
