import { registryPackages, nameOf, readLockfile, type Lockfile } from './lockfile.ts';

/**
 * The licences, by their SPDX names, that a production dependency may have. Each allows use and distribution without
 * publication of the source.
 */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** As in the package; `unknown` where it states none. */
  readonly license: string;
  readonly isAllowed: boolean;
}

/** One licence of `(MIT OR GPL-3.0)` must be allowed. Any other expression must be in the list as a whole. */
function isAllowed(license: string): boolean {
  const alternatives = license.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return alternatives.some((alternative) => ALLOWED.has(alternative));
}

/** Each production dependency of a lockfile once, sorted by name. */
export function listLicenses(lockfile: Lockfile): readonly LicensedPackage[] {
  const production = registryPackages(lockfile).filter(([, { dev }]) => dev !== true);
  const listed = production.map(([path, { version = 'unknown', license = 'unknown' }]) => ({
    name: nameOf(path),
    version,
    license,
    isAllowed: isAllowed(license),
  }));
  const once = new Map(listed.map((entry) => [`${entry.name}@${entry.version}`, entry]));
  return [...once.values()].toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

/** The table that `npm run licenses` prints, and a message for each licence that is not allowed. */
export function describeLicenses(packages: readonly LicensedPackage[]): {
  readonly table: string;
  readonly refused: readonly string[];
} {
  const width = Math.max(...packages.map(({ name, version }) => name.length + version.length + 1));
  const rows = packages.map(({ name, version, license }) => `${`${name}@${version}`.padEnd(width)}  ${license}`);
  const refused = packages
    .filter((entry) => !entry.isAllowed)
    .map(
      ({ name, version, license }) =>
        `${name}@${version} has the licence ${license}, which is not in the list of tools/release/licenses.ts.`,
    );
  return { table: [...rows, '', `${packages.length} production dependencies.`].join('\n'), refused };
}

if (import.meta.main) {
  const { table, refused } = describeLicenses(listLicenses(readLockfile()));
  console.log(table);
  refused.forEach((line) => console.error(line));
  process.exitCode = refused.length === 0 ? 0 : 1;
}
