import manifest from '../../package.json' with { type: 'json' };

/** What runs here: the same on every host of a good deployment. `commit` is what the image was built from, by KOINE_COMMIT. */
export const build = {
  version: manifest.version,
  commit: process.env['KOINE_COMMIT'] ?? 'unknown',
  node: process.versions.node,
} as const;
