import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root, sourceFiles } from './source-files.ts';

/** The same in every wire: providers/README.md describes them. */
const OF_EVERY_WIRE = new Set(['client', 'upstream', 'request', 'response']);

const hasReadme = (folder: string): boolean => existsSync(join(root, folder, 'README.md'));
const readmeAbove = (folder: string): string => (hasReadme(folder) ? folder : readmeAbove(dirname(folder)));

/** Whether a page names the folder, alone or with those above it. */
const describes = (page: string, folder: string): boolean =>
  OF_EVERY_WIRE.has(basename(folder)) ||
  folder.split('/').some((_, at, names) => page.includes(`${names.slice(at).join('/')}/`));

describe('the folders of the sources', () => {
  it('each has a README, or the README above it says what is in it', () => {
    const folders = new Set(sourceFiles.map(({ path }) => dirname(path)));
    const unknown = [...folders].filter((folder) => {
      const above = readmeAbove(folder);
      return (
        above !== folder && !describes(readFileSync(join(root, above, 'README.md'), 'utf8'), relative(above, folder))
      );
    });
    expect(unknown).to.deep.equal([]);
  });

  it('a page that names only folders above it does not describe a folder', () => {
    expect(describes('`admin/` is the listener', 'admin')).to.equal(true);
    expect(describes('`login/oidc/` is the identity provider', 'login/oidc')).to.equal(true);
    expect(describes('`admin/` is the listener', 'admin/login')).to.equal(false);
  });
});
