import { expect } from 'chai';
import { join } from 'node:path';
import { root } from '../../tools/release/lockfile.ts';
import { hasPrograms } from './cache.ts';
import { isOwn, selectOperations, selectSections, testOperations, testSections } from './snippets.ts';

describe('docs/start/clients.md in this project', function () {
  this.timeout(120_000);
  testSections(
    selectSections((block) => block.language === 'ts' && isOwn(block)),
    () => ({
      file: 'client.ts',
      command: process.execPath,
      words: ['client.ts'],
      links: [join(root, 'node_modules')],
    }),
  );
});

describe('docs/start/clients.md, other operations', function () {
  this.timeout(120_000);
  testOperations(selectOperations(isOwn), () => ({
    file: 'client.ts',
    command: process.execPath,
    words: ['client.ts'],
    links: [join(root, 'node_modules')],
  }));
});

describe('docs/start/clients.md in a shell', function () {
  this.timeout(120_000);
  before(function () {
    if (!hasPrograms('bash', 'curl')) this.skip();
  });
  testSections(
    selectSections(({ language }) => language === 'sh'),
    () => ({ file: 'client.sh', command: 'bash', words: ['-e', 'client.sh'] }),
  );
});

describe('docs/start/clients.md', () => {
  it('the page has sections for every language, with a wire in each', () => {
    const sections = selectSections(() => true);
    const languages = new Set(sections.flatMap(({ blocks }) => blocks.map(({ language }) => language)));
    expect([...languages].sort()).to.deep.equal(['go', 'java', 'python', 'sh', 'ts']);
    expect(sections.filter(({ wires }) => wires.length === 0).map(({ title }) => title)).to.deep.equal([]);
  });
});
