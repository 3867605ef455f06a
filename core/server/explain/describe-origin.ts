import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../canonical/json/members.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import { parseJson } from '../../framing/json.ts';

/** @param file the configuration, beside which packages are installed */
const describePackage = (use: string, file: string): string | undefined => {
  const manifest = findPackageJSON(use, pathToFileURL(resolve(file)));
  const content = manifest === undefined ? undefined : parseJson(readFileSync(manifest, 'utf8'));
  return isObject(content) && typeof content['name'] === 'string' && typeof content['version'] === 'string'
    ? `${content['name']}@${content['version']}`
    : undefined;
};

/** Where an extension comes from: `built-in`, a package with its version, or the file that was imported. */
export function describeOrigin(
  { use, source }: Pick<Extension<ExtensionKind>, 'use' | 'source'>,
  file: string,
): string {
  if (source === 'built-in' || /^\.{0,2}\//.test(use)) return source;
  try {
    return describePackage(use, file) ?? source;
  } catch {
    // It may have been removed since it was loaded.
    return source;
  }
}
