import { existsSync, readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../canonical/json/members.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { ownManifest, PACKAGE } from './modules/own-package.ts';

/** https://github.com/npm/node-semver; it has no types of its own. */
type Satisfies = (version: string, range: string, options: { readonly includePrerelease: boolean }) => boolean;

const readManifest = (file: string): JsonObject => {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isObject(content) ? content : {};
};

/** The package.json with a name or with peer dependencies that is nearest to the file. */
const findManifest = (file: string): JsonObject => {
  for (let folder = dirname(file); basename(folder) !== 'node_modules'; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    const manifest = existsSync(path) ? readManifest(path) : {};
    if (manifest['name'] !== undefined || manifest['peerDependencies'] !== undefined) return manifest;
    if (folder === dirname(folder)) break;
  }
  return {};
};

const checkRange = (file: string, version: string): readonly string[] => {
  const peers = findManifest(file)['peerDependencies'];
  const range = isObject(peers) ? peers[PACKAGE] : undefined;
  if (typeof range !== 'string') return [];
  const satisfies = createRequire(import.meta.url)('semver/functions/satisfies.js') as Satisfies;
  return satisfies(version, range, { includePrerelease: true })
    ? []
    : [
        `Its package.json requires ${PACKAGE} ${range}, and this gateway is ${version}. Test the extension with this ` +
          'version and extend the range, or run a version of the gateway that the range includes.',
      ];
};

/** The package.json of a copy of the gateway that Node would find from a file. */
const findCopy = (file: string): string | undefined => {
  try {
    return findPackageJSON(PACKAGE, pathToFileURL(file));
  } catch {
    return undefined;
  }
};

const checkCopy = (file: string, version: string): readonly string[] => {
  const copy = findCopy(file);
  const other = copy === undefined ? version : readManifest(copy)['version'];
  return other === version
    ? []
    : [
        `${PACKAGE} ${String(other)} is installed in ${dirname(copy ?? '')}, and this gateway is ${version}. The ` +
          `extension uses this gateway, not that copy. For matching types, install ${PACKAGE} ${version} there.`,
      ];
};

/**
 * Compares the running gateway with the range in the extension's package.json and with a copy beside the extension.
 * @param file the entry file, with links resolved
 */
export function checkGatewayVersion(file: string): readonly string[] {
  const version = String(readManifest(ownManifest)['version']);
  return [...checkRange(file, version), ...checkCopy(file, version)];
}
