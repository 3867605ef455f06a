import type { LoadedConfig } from '../../config/load.ts';
import type { Path } from '../../config/problem.ts';
import { hashOfCode } from '../../extensions/modules/code.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';

/** How the code of the extensions differs. The paths are those of their `use`. */
export interface CodeChanges {
  readonly changed: readonly Path[];
  /** Packages that have changed and that only the next start loads. */
  readonly outdated: readonly Path[];
}

interface ExtensionUse {
  readonly path: Path;
  readonly extension: Extension<ExtensionKind>;
}

const listUses = ({
  extensions: { plugins, providers },
}: Pick<LoadedConfig, 'extensions'>): readonly ExtensionUse[] => [
  ...Object.entries(providers).map(([name, extension]) => ({ path: ['providers', name, 'use'], extension })),
  ...plugins.map((extension, index) => ({ path: ['plugins', index, 'use'], extension })),
];

/** Compares the code of extensions at the same place. A place that names another extension is a changed setting. */
export function compareCode(
  before: Pick<LoadedConfig, 'extensions'>,
  after: Pick<LoadedConfig, 'extensions'>,
): CodeChanges {
  const earlier = new Map(listUses(before).map(({ path, extension }) => [path.join(), extension]));
  const hasChanged = ({ path, extension: { use, code } }: ExtensionUse): boolean => {
    const known = earlier.get(path.join());
    return known?.use === use && hashOfCode(known.code) !== hashOfCode(code);
  };
  const uses = listUses(after);
  return {
    changed: uses.filter(hasChanged).map(({ path }) => path),
    outdated: uses.filter(({ extension }) => extension.isOutdated === true).map(({ path }) => path),
  };
}
