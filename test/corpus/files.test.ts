import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { corpusFiles } from './files.ts';
import { corpusFolder, hasCorpus, laterFiles } from './lines.ts';

describe('the files of the corpus', () => {
  it('npm run corpus runs every file, or prints why it leaves lines out', function () {
    if (!hasCorpus()) this.skip();
    const files = [...readdirSync(corpusFolder).filter((name) => name.endsWith('.jsonl')), ...laterFiles];
    expect(corpusFiles.map(({ file }) => file).toSorted()).to.deep.equal(files.toSorted());
  });
});
