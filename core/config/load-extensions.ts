import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { readList } from '../canonical/json/read.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { isBuiltIn, listBuiltInNames } from '../extensions/built-in.ts';
import type { BuiltIns, Extension, ExtensionKind } from '../extensions/extension.ts';
import { INTEGRITY_PATTERN } from '../extensions/integrity.ts';
import { listFiles, loadExtension, type ExtensionUse } from '../extensions/load.ts';
import { entries, member, text } from './checks/tolerant.ts';
import { describeSuggestion } from './suggest.ts';
import type { Finding, Path } from './problem.ts';

/** The extensions that the file names by `use:`. */
export interface LoadedExtensions {
  readonly plugins: readonly LocatedExtension<'plugin'>[];
  readonly providers: Readonly<Record<string, LocatedExtension<'provider'>>>;
  readonly findings: readonly Finding[];
  /** Absolute paths of the files whose change may change an extension, also of those that could not be loaded. */
  readonly files: readonly string[];
}

/** An extension and the `use:` that names it. */
export interface LocatedExtension<K extends ExtensionKind> {
  /** Of the `use:`. */
  readonly path: Path;
  readonly extension: Extension<K>;
}

interface Use extends ExtensionUse {
  readonly path: Path;
  readonly integrityPath: Path;
}

const INTEGRITY = new RegExp(INTEGRITY_PATTERN);

/** Empty when `integrity` is not a hash: the extension is not loaded, and validation reports the reason. */
const readUse = (path: Path, entry: unknown): readonly Use[] => {
  const use = text(member(entry, 'use'));
  const integrity = member(entry, 'integrity');
  if (use === undefined || (integrity !== undefined && !INTEGRITY.test(text(integrity) ?? ''))) return [];
  return [
    omitUndefined({
      path: [...path, 'use'],
      integrityPath: [...path, 'integrity'],
      use,
      integrity: text(integrity),
    }),
  ];
};

/** What else the name could be. */
const describeOther = (use: string, kind: ExtensionKind, builtIns: BuiltIns): string => {
  const other = kind === 'plugin' ? 'provider' : 'plugin';
  if (isBuiltIn(other, use, builtIns)) return ` It is a ${other}, and belongs under ${other}s.`;
  const suggestion = describeSuggestion(use, listBuiltInNames(kind, builtIns));
  if (suggestion !== '') return suggestion;
  const definers = Object.values(builtIns.provider).filter(({ codecs }) => codecs?.some(({ wire }) => wire === use));
  return definers.length === 0 ? '' : ` It is a wire, and not the name of a ${kind}.`;
};

const describeFailure = (
  error: GatewayError,
  { path: usePath, integrityPath, integrity, use }: Use,
  { kind, builtIns, isShown }: Pick<LoadExtensionsOptions, 'builtIns' | 'isShown'> & { readonly kind: ExtensionKind },
): Finding => {
  const path = error.code === 'KOINE_EXTENSION_INTEGRITY' && integrity !== undefined ? integrityPath : usePath;
  const hint = error.code === 'KOINE_EXTENSION_NOT_FOUND' ? describeOther(use, kind, builtIns) : '';
  return {
    path,
    rule: error.code,
    message: isShown(path) ? `${error.message}${hint}` : 'The extension that this value names cannot be loaded.',
  };
};

/** Names must be unique: logs and metrics identify extensions by them. */
const createNameCheck = (): ((extension: Extension<ExtensionKind>) => void) => {
  const owners = new Map<string, string>();
  return ({ kind, definition, source }) => {
    const key = `${kind} ${definition.name}`;
    const owner = owners.get(key) ?? source;
    if (owner !== source)
      throw new GatewayError(
        'KOINE_EXTENSION_DUPLICATE',
        `The name ${JSON.stringify(definition.name)} is already used by another ${kind}. ` +
          'Names of extensions must be unique.',
      );
    owners.set(key, owner);
  };
};

export interface LoadExtensionsOptions {
  /** Absolute path of the configuration file. */
  readonly from: string;
  readonly builtIns: BuiltIns;
  /** Whether messages may quote the value at the path. */
  isShown(path: Path): boolean;
  /** Whether the value at the path could be interpolated. If not, it is skipped. */
  isResolved(path: Path): boolean;
}

/** Imports the extension of every `use:`. A failure becomes a finding at that `use:`. */
export async function loadExtensions(
  data: unknown,
  { from, builtIns, isShown, isResolved }: LoadExtensionsOptions,
): Promise<LoadedExtensions> {
  const findings: Finding[] = [];
  const files = new Set<string>();
  const checkName = createNameCheck();
  const load = async <K extends ExtensionKind>(kind: K, use: Use): Promise<readonly LocatedExtension<K>[]> => {
    try {
      const extension = await loadExtension(kind, use, from, builtIns);
      checkName(extension);
      for (const message of extension.warnings ?? [])
        findings.push({ path: use.path, severity: 'warning', rule: 'gateway-version', message });
      return [{ path: use.path, extension }];
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      findings.push(describeFailure(thrown, use, { kind, builtIns, isShown }));
      return [];
    } finally {
      for (const file of listFiles(kind, use.use, from, builtIns)) files.add(file);
    }
  };
  const isUsable = ({ path, integrityPath }: Use): boolean => isResolved(path) && isResolved(integrityPath);

  const providers: [string, LocatedExtension<'provider'>][] = [];
  for (const [name, entry] of entries(member(data, 'providers')))
    for (const use of readUse(['providers', name], entry).filter(isUsable))
      for (const located of await load('provider', use)) providers.push([name, located]);
  const plugins: LocatedExtension<'plugin'>[] = [];
  for (const [index, entry] of readList(member(data, 'plugins')).entries())
    for (const use of readUse(['plugins', index], entry).filter(isUsable)) plugins.push(...(await load('plugin', use)));
  return { plugins, providers: Object.fromEntries(providers), findings, files: [...files] };
}
