import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);

interface Entry {
  readonly title: string;
  readonly files: readonly string[];
}

/** The `### ` sections of a page below one of its `## ` headings, with the test files that each names. */
const entriesOf = (page: string, heading: string): readonly Entry[] => {
  const section =
    readFileSync(at(page), 'utf8')
      .split(/^## /m)
      .find((text) => text.startsWith(heading)) ?? '';
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => ({
      title: text.split('\n')[0] ?? '',
      files: [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file),
    }));
};

describe('docs/operate/security.md, Checklist', () => {
  const rows = readFileSync(at('docs/operate/security.md'), 'utf8').match(/^\| S\d+ \|.*$/gm) ?? [];

  it('the checklist has all 26 items, each with existing tests', () => {
    expect(rows.map((row) => /S\d+/.exec(row)?.[0])).to.deep.equal(Array.from({ length: 26 }, (_, at) => `S${at + 1}`));
    const files = rows.map((row) => [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file));
    expect(files.filter((named) => named.length === 0)).to.deep.equal([]);
    expect(files.flat().filter((file) => !existsSync(at(file)))).to.deep.equal([]);
  });
});

const pages = [
  { page: 'docs/operate/security.md', heading: 'Attacks', entries: 27 },
  { page: 'docs/reference/faults.md', heading: 'Failover guarantees', entries: 8 },
] as const;

for (const { page, heading, entries } of pages) {
  describe(`${page}, ${heading}`, () => {
    const found = entriesOf(page, heading);
    it(`the page has ${entries} entries`, () => expect(found).to.have.length(entries));
    for (const { title, files } of found) {
      it(`the page names an existing test: ${title}`, () => {
        expect(files).to.not.be.empty;
        expect(files.filter((file) => !existsSync(at(file)))).to.deep.equal([]);
      });
    }
  });
}
