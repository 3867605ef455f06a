import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The nearest package.json: sources and built files stand at different depths below it. */
const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(findPackageJSON('.', import.meta.url) ?? '', 'utf8')) as {
    readonly version: string;
  };
  return version;
};

/**
 * What runs here: the same on every host of a good deployment. `commit` is what the image was built from, by
 * KOINE_COMMIT.
 */
export const build = {
  version: readVersion(),
  commit: process.env['KOINE_COMMIT'] ?? 'unknown',
  node: process.versions.node,
} as const;
