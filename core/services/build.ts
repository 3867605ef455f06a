import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The nearest package.json: source files and built files are at different depths below it. */
const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(findPackageJSON('.', import.meta.url) ?? '', 'utf8')) as {
    readonly version: string;
  };
  return version;
};

/** The version of the running code. `commit` comes from KOINE_COMMIT, which the image build sets. */
export const build = {
  version: readVersion(),
  commit: process.env['KOINE_COMMIT'] ?? 'unknown',
  node: process.versions.node,
} as const;
