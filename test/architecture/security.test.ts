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

const pages = [
  { page: 'docs/operate/security.md', heading: 'Attacks', entries: 24 },
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
