import { expect } from 'chai';
import { sourceFiles } from './source-files.ts';

/**
 * The folders of core in import order: a folder imports from its own row and the rows before it. core/README.md draws
 * it.
 */
const folders: readonly (readonly string[])[] = [
  ['canonical', 'errors'],
  ['contracts'],
  ['framing', 'services'],
  ['extensions'],
  ['config'],
  ['catalog', 'tenancy'],
  ['fits', 'outcome'],
  ['lanes'],
  ['dispatch'],
  ['exchange'],
  ['http'],
  ['server'],
  ['diagnostics'],
  ['gateway'],
  ['api'],
  ['built-ins'],
  ['testing'],
  ['cli'],
  ['main'],
];
const roomOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.ts$/, '');
const rankOf = (path: string): number => folders.findIndex((row) => row.includes(roomOf(path)));
const own = (path: string): string => path.split('/').slice(0, 2).join('/');

describe('imports', () => {
  it('imports lead in one direction through the folders of core', () => {
    const wrong = sourceFiles
      .filter(({ path }) => path.startsWith('core/'))
      .flatMap(({ path, imports }) => {
        const found = imports.filter((target) => target.startsWith('core/'));
        return found
          .filter((target) => rankOf(target) > rankOf(path) || rankOf(target) === -1)
          .map((target) => `${path} -> ${target}`);
      });
    expect(wrong).to.deep.equal([]);
  });

  it('imports of plugins, providers and importers lead to the public API of core, to logins of the clouds, and to what importers and plugins share', () => {
    const wrong = sourceFiles
      .filter(({ path }) => !path.startsWith('core/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter(
            (target) =>
              /^(?:core|importers|plugins|providers)\//.test(target) &&
              !target.startsWith('core/api/') &&
              own(target) !== own(path) &&
              own(target) !== 'providers/identity' &&
              !/^(importers|plugins)\/.*:\1\/shared$/.test(`${path}:${own(target)}`),
          )
          .map((target) => `${path} -> ${target}`),
      );
    expect(wrong).to.deep.equal([]);
  });

  it('imports of plugins, providers and importers are in core/built-ins.ts only', () => {
    const wrong = sourceFiles.filter(
      ({ path, imports }) =>
        path.startsWith('core/') &&
        path !== 'core/built-ins.ts' &&
        imports.some((target) => /^(?:importers|plugins|providers)\//.test(target)),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('all imports of a package are in one folder', () => {
    const homes = new Map<string, Set<string>>();
    for (const { path, imports } of sourceFiles) {
      for (const name of imports.filter(
        (target) => !target.startsWith('node:') && !/^(?:bin|core|importers|plugins|providers)\//.test(target),
      )) {
        homes.set(name, (homes.get(name) ?? new Set()).add(path.split('/').slice(0, 2).join('/')));
      }
    }
    const shared = [...homes]
      // `jose` signs assertions of the gateway, and verifies the tokens of callers.
      .filter(([name, places]) => places.size > 1 && name !== 'jose')
      .map(([name, places]) => `${name}: ${[...places].join(', ')}`);
    expect(shared).to.deep.equal([]);
  });

  it('imports have no cycles', () => {
    const byPath = new Map(sourceFiles.map((file) => [file.path, file.imports]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const next of byPath.get(path) ?? []) if (byPath.has(next)) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of byPath.keys()) visit(path, []);
    expect(cycles).to.deep.equal([]);
  });
});
