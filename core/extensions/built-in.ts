import type { BuiltIns, Definitions, ExtensionKind } from './extension.ts';

type Optional<K extends ExtensionKind> = Readonly<Record<string, () => Promise<Definitions[K]>>>;

/** The built-in extensions of a kind that are loaded when a configuration uses them. */
const optionalOf = <K extends ExtensionKind>(kind: K, { presets, optionalPlugins }: BuiltIns): Optional<K> =>
  ((kind === 'provider' ? presets : optionalPlugins) ?? {}) as Optional<K>;

/** The names of the built-in extensions of a kind, loaded or not. */
export const listBuiltInNames = (kind: ExtensionKind, builtIns: BuiltIns): readonly string[] => [
  ...Object.keys(builtIns[kind]),
  ...Object.keys(optionalOf(kind, builtIns)),
];

export const isBuiltIn = (kind: ExtensionKind, name: string, builtIns: BuiltIns): boolean =>
  Object.hasOwn(builtIns[kind], name) || Object.hasOwn(optionalOf(kind, builtIns), name);

/** The definition of a built-in extension, which is loaded now if it is optional. */
export const loadBuiltIn = (kind: ExtensionKind, name: string, builtIns: BuiltIns): unknown =>
  Object.hasOwn(builtIns[kind], name) ? builtIns[kind][name] : optionalOf(kind, builtIns)[name]?.();

const loadAll = async <K extends ExtensionKind>(kind: K, builtIns: BuiltIns) => {
  const loading = Object.entries(optionalOf(kind, builtIns)).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loading));
};

/** The same built-ins with all optional ones loaded: for schemas, first configurations and imports, not for a start. */
export const loadPresets = async (builtIns: BuiltIns): Promise<BuiltIns> => ({
  ...builtIns,
  presets: {},
  optionalPlugins: {},
  provider: { ...builtIns.provider, ...(await loadAll('provider', builtIns)) },
  plugin: { ...builtIns.plugin, ...(await loadAll('plugin', builtIns)) },
});
