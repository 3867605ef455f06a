import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files.ts';

/**
 * Words that were used for programs and have a standard term, by the list in CONTRIBUTING.md. They may not occur in
 * sources, pages, titles of tests or comments of tests; other strings of tests are data.
 */
const AVOIDED = [
  'nobody|somebody|anybody|whoever',
  'tells?|telling|told|hears?|heard|blamed?',
  'houses?(?!\\/)|editions?|faces|primary hal(?:f|ves)|crews?|rosters?|twins?|milestones?|departures?|crossings?',
  'lingers?|hold-?backs?|steady|gentle',
  'comes? to itself|stood still|own words|last words|good-?bye|at rest',
].join('|');
const asWord = new RegExp(`(?<![A-Za-z])(?:${AVOIDED})(?![a-z])`, 'gi');
/** Inside of an identifier: `createRoster`. ClickHouse is a name. */
const inName = new RegExp(
  `(?<=[a-z])(?<!Click)(?:${AVOIDED.replaceAll(/(?<=^|\|)[a-z]/g, (letter) => letter.toUpperCase())})(?![a-z])`,
  'g',
);

/** Files that quote the words, or whose texts are data. */
const EXEMPT = ['CONTRIBUTING.md', 'test/architecture/plain-english.test.ts', 'test/fixtures/', 'package-lock.json'];

const isChecked = (path: string): boolean =>
  /\.(?:ts|js|mjs|md|ya?ml)$/.test(path) && !EXEMPT.some((exempt) => path.startsWith(exempt));

/** Comments, and the titles of suites and tests. */
const WRITTEN_FOR_READERS =
  /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|\b(?:it|describe)(?:\.\w+)?\(\s*(?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/gm;

const readProse = (path: string): string => {
  const text = readFileSync(join(root, path), 'utf8');
  const isTest = path.startsWith('test/') && !path.endsWith('.md');
  return isTest ? [...text.matchAll(WRITTEN_FOR_READERS)].join('\n') : text;
};

const findAvoided = (text: string): readonly string[] =>
  [...text.matchAll(asWord), ...text.matchAll(inName)].map(([found]) => found);

describe('plain English', () => {
  it('the check recognises the avoided words, in identifiers too, and no other word', () => {
    expect(findAvoided('nobody is told; createRoster(), isBlamed')).to.deep.equal([
      'nobody',
      'told',
      'Roster',
      'Blamed',
    ]);
    expect(findAvoided('housekeeping, surfaces, between, intellect, warehouse, openClickHouse')).to.deep.equal([]);
  });

  it('sources, pages, comments and titles of tests contain no avoided word', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n');
    const found = files
      .filter(isChecked)
      .flatMap((path) => findAvoided(readProse(path)).map((avoided) => `${path}: ${avoided}`));
    expect(found).to.deep.equal([]);
  });
});
