import { GatewayError } from '../errors/gateway-error.ts';
import type { BuiltIns, Extension, ExtensionKind } from '../extensions/extension.ts';
import { INTEGRITY_PATTERN } from '../extensions/integrity.ts';
import { loadExtension, type ExtensionUse } from '../extensions/load.ts';
import { entries, items, member, text } from './checks/tolerant.ts';
import { describeSuggestion } from './suggest.ts';
import type { Finding, Path } from './problem.ts';

/** What the `use:` of a file name, each with the place that names it. */
export interface LoadedExtensions {
  readonly plugins: readonly Placed<'plugin'>[];
  readonly providers: Readonly<Record<string, Placed<'provider'>>>;
  readonly findings: readonly Finding[];
}

export interface Placed<K extends ExtensionKind> {
  readonly path: Path;
  readonly extension: Extension<K>;
}

interface Use extends ExtensionUse {
  readonly path: Path;
  readonly integrityPath: Path;
}

const INTEGRITY = new RegExp(INTEGRITY_PATTERN);

/** An extension whose `integrity` is no hash is not loaded; the schema reports why. */
const readUse = (path: Path, entry: unknown): readonly Use[] => {
  const use = text(member(entry, 'use'));
  const integrity = member(entry, 'integrity');
  if (use === undefined || (integrity !== undefined && !INTEGRITY.test(text(integrity) ?? ''))) return [];
  return [
    {
      path: [...path, 'use'],
      integrityPath: [...path, 'integrity'],
      use,
      ...(text(integrity) === undefined ? {} : { integrity: text(integrity) }),
    },
  ];
};

const describeFailure = (
  error: GatewayError,
  { path: usePath, integrityPath, integrity, use }: Use,
  known: readonly string[],
  isShown: (path: Path) => boolean,
): Finding => {
  const path = error.code === 'KOINE_EXTENSION_INTEGRITY' && integrity !== undefined ? integrityPath : usePath;
  const hint = error.code === 'KOINE_EXTENSION_NOT_FOUND' ? describeSuggestion(use, known) : '';
  return {
    path,
    rule: error.code,
    message: isShown(path) ? `${error.message}${hint}` : 'What is named here cannot be used.',
  };
};

/** Two modules of one name could not be told apart in logs and metrics. */
const createNameCheck = (): ((extension: Extension<ExtensionKind>) => void) => {
  const owners = new Map<string, string>();
  return ({ kind, definition, source }) => {
    const key = `${kind} ${definition.name}`;
    const owner = owners.get(key) ?? source;
    if (owner !== source)
      throw new GatewayError(
        'KOINE_EXTENSION_DUPLICATE',
        `Another ${kind} calls itself ${JSON.stringify(definition.name)} already.`,
      );
    owners.set(key, owner);
  };
};

export interface LoadExtensionsOptions {
  /** The configuration file, absolute. */
  readonly from: string;
  readonly builtIns: BuiltIns;
  /** May the value at the path be shown? */
  isShown(path: Path): boolean;
  /** Values that could not be interpolated are left alone. */
  isResolved(path: Path): boolean;
}

/** Collects every `use:` and imports what it names. Whatever fails becomes a finding at its place. */
export async function loadExtensions(
  data: unknown,
  { from, builtIns, isShown, isResolved }: LoadExtensionsOptions,
): Promise<LoadedExtensions> {
  const findings: Finding[] = [];
  const checkName = createNameCheck();
  const load = async <K extends ExtensionKind>(kind: K, use: Use): Promise<readonly Placed<K>[]> => {
    try {
      const extension = await loadExtension(kind, use, from, builtIns);
      checkName(extension);
      return [{ path: use.path, extension }];
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      findings.push(describeFailure(thrown, use, Object.keys(builtIns[kind]), isShown));
      return [];
    }
  };
  const isKnown = ({ path, integrityPath }: Use): boolean => isResolved(path) && isResolved(integrityPath);

  const providers: [string, Placed<'provider'>][] = [];
  for (const [name, entry] of entries(member(data, 'providers')))
    for (const use of readUse(['providers', name], entry).filter(isKnown))
      for (const placed of await load('provider', use)) providers.push([name, placed]);
  const plugins: Placed<'plugin'>[] = [];
  for (const [index, entry] of items(member(data, 'plugins')).entries())
    for (const use of readUse(['plugins', index], entry).filter(isKnown)) plugins.push(...(await load('plugin', use)));
  return { plugins, providers: Object.fromEntries(providers), findings };
}
