import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources, shareChanged } from '../../tools/bench/sources.ts';

const folder = join(import.meta.dirname, '../../tools/bench');
/** Run the bench again when this share of the files has changed. */
const MOST = 0.25;

describe('the figures of the bench', () => {
  const { commit, sources } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as {
    readonly commit: string;
    readonly sources: Readonly<Record<string, string>>;
  };

  it('are of the hot path as it is: at most a quarter of its files have changed since', () => {
    expect(Object.keys(sources)).to.include.members(['core/exchange/pipeline.ts', 'plugins/rate-limit/index.ts']);
    expect(shareChanged(sources, readSources()), 'run npm run bench on a quiet machine').to.be.at.most(MOST);
  });

  it('are in the page, with the commit that was measured, and with the notes', () => {
    const page = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(page).to.include(`of commit ${commit}:`);
    expect(commit).to.not.include('dirty');
    // The next run writes the page again: what is only in the page would be lost.
    expect(page.endsWith(readFileSync(join(folder, 'notes.md'), 'utf8'))).to.equal(true);
  });

  it('files that are changed, added or removed count', () => {
    expect(shareChanged({ one: 'a', two: 'b', three: 'c' }, { one: 'a', two: 'x', four: 'd' })).to.equal(0.75);
    expect(shareChanged({ one: 'a' }, { one: 'a' })).to.equal(0);
  });
});
