import { expect } from 'chai';
import { compare, correct, readPages, savePage, type Entry } from './list.ts';
import { openTypes, type TypeReader } from './read-types.ts';
import { surfaces } from './surfaces/index.ts';
import { treatAll } from './treatment.ts';

/** Another folder of packages, e.g. with newer SDKs: see README.md. */
const packages = process.env['KOINE_SDK_PACKAGES'];
const write = process.env['KOINE_WRITE_SDK_TYPES'] !== undefined;

describe('names that the SDKs declare', function () {
  this.timeout(120_000);
  const pages = readPages();
  const corrected = new Map<string, readonly Entry[]>();
  let types: TypeReader;

  before(() => {
    types = openTypes({ packages });
  });
  after(() => {
    types.close();
    if (!write) return;
    for (const [wire, { introduction, sections }] of pages) {
      const names = [...sections.keys()];
      const entries = new Map(names.map((name) => [name, corrected.get(`${wire} ${name}`) ?? []]));
      savePage(wire, { introduction, sections: entries });
    }
  });

  for (const surface of surfaces)
    it(`each name in the ${surface.name} of ${surface.wire} is known to the gateway, or listed with a reason`, () => {
      const found = treatAll(surface, types);
      const listed = pages.get(surface.wire)?.sections.get(surface.name) ?? [];
      const entries = write ? correct(found, listed) : listed;
      corrected.set(`${surface.wire} ${surface.name}`, entries);
      const problems = compare(found, entries);
      if (problems.length === 0) return;
      const page = `test/sdk-types/lists/${surface.wire}.md`;
      expect.fail(
        `${problems.join('\n')}\n` +
          `Change the codec so that it treats the name, or change the section '## ${surface.name}' of ${page}.`,
      );
    });

  it('each section of a list is the name of a surface', () => {
    const sections = [...pages].flatMap(([wire, page]) => [...page.sections.keys()].map((name) => `${wire} ${name}`));
    expect(surfaces.map(({ wire, name }) => `${wire} ${name}`)).to.include.members(sections);
  });
});
