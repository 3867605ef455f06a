import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { describeLicenses, listLicenses } from '../../tools/release/licenses.ts';
import { readLockfile, root, type LockedPackage } from '../../tools/release/lockfile.ts';

const licensesOf = (packages: Readonly<Record<string, LockedPackage>>) => describeLicenses(listLicenses({ packages }));

describe('npm run licenses', () => {
  it('finds an allowed licence for every production dependency', () => {
    const { table, refused } = describeLicenses(listLicenses(readLockfile()));
    expect(refused).to.deep.equal([]);
    expect(table)
      .to.match(/^koa@3\.\d+\.\d+ +MIT$/m)
      .and.to.not.contain('mocha@');
  });

  it('finds as many dependencies as tools/release/README.md states', () => {
    const page = readFileSync(`${root}tools/release/README.md`, 'utf8');
    const direct = Object.keys(readLockfile().packages['']?.dependencies ?? {});
    expect(page).to.contain(`| direct production dependencies | ${direct.length}, `);
    expect(page).to.contain(`| production dependencies in all | ${listLicenses(readLockfile()).length} packages; `);
  });

  it('refuses a licence that is not allowed, an unknown licence and a conjunction', () => {
    const { table, refused } = licensesOf({
      '': { version: '1.0.0', license: 'UNLICENSED' },
      'node_modules/free': { version: '1.0.0', license: 'MIT' },
      'node_modules/either': { version: '1.0.0', license: '(GPL-3.0-only OR MIT)' },
      'node_modules/a/node_modules/@scope/copyleft': { version: '2.0.0', license: 'AGPL-3.0-only' },
      'node_modules/both': { version: '1.0.0', license: '(MIT AND GPL-3.0-only)' },
      'node_modules/silent': { version: '3.0.0' },
      'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0-only', dev: true },
    });
    expect(table).to.contain('5 production dependencies.');
    expect(refused.map((line) => line.split(',')[0])).to.deep.equal([
      '@scope/copyleft@2.0.0 has the licence AGPL-3.0-only',
      'both@1.0.0 has the licence (MIT AND GPL-3.0-only)',
      'silent@3.0.0 has the licence unknown',
    ]);
  });
});
