import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './source-files.ts';

const MOST_COLUMNS = 120;
const MOST_FILES = 20;

/** Folders of data, with a file for each case. */
const DATA = /^(?:test\/fixtures|core\/decisions|docs)(?:\/|$)/;

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n');
const code = tracked.filter((path) => /\.(?:ts|js)$/.test(path) && !DATA.test(path));

/** Lines that cannot be shorter: an address, a pattern, or in tests the exact bytes of a wire. */
const isData = (path: string, line: string): boolean =>
  /https?:\/\/|^\s*\/\^|^\s*\[?\/\^/.test(line) || (path.startsWith('test/') && !/^\s*(?:\/\/|\/?\*)/.test(line));

describe('the shape of the sources', () => {
  it(`no source has a line over ${MOST_COLUMNS} columns`, () => {
    const long = code.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > MOST_COLUMNS && !isData(path, line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(long).to.deep.equal([]);
  });

  it(`no source folder has more than ${MOST_FILES} files`, () => {
    const counts = new Map<string, number>();
    for (const path of tracked.filter((file) => !DATA.test(file)))
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([folder, count]) => folder !== '.' && count > MOST_FILES)).to.deep.equal([]);
  });
});
