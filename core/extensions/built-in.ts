import type { ProviderDefinition } from '../contracts/provider.ts';
import type { BuiltIns, ExtensionKind } from './extension.ts';

const presetsOf = ({ presets = {} }: BuiltIns): NonNullable<BuiltIns['presets']> => presets;

/** The names of the built-in extensions of a kind, loaded or not. */
export const listBuiltInNames = (kind: ExtensionKind, builtIns: BuiltIns): readonly string[] => [
  ...Object.keys(builtIns[kind]),
  ...(kind === 'provider' ? Object.keys(presetsOf(builtIns)) : []),
];

export const isBuiltIn = (kind: ExtensionKind, name: string, builtIns: BuiltIns): boolean =>
  Object.hasOwn(builtIns[kind], name) || (kind === 'provider' && Object.hasOwn(presetsOf(builtIns), name));

/** The definition of a built-in extension, whose preset is loaded now. */
export const loadBuiltIn = (kind: ExtensionKind, name: string, builtIns: BuiltIns): unknown =>
  Object.hasOwn(builtIns[kind], name) ? builtIns[kind][name] : presetsOf(builtIns)[name]?.();

/** The same built-ins with every preset loaded: for schemas, first configurations and imports, not for a start. */
export async function loadPresets(builtIns: BuiltIns): Promise<BuiltIns> {
  const loaded = await Promise.all(
    Object.entries(presetsOf(builtIns)).map(async ([name, load]): Promise<readonly [string, ProviderDefinition]> => [
      name,
      await load(),
    ]),
  );
  return { ...builtIns, presets: {}, provider: { ...builtIns.provider, ...Object.fromEntries(loaded) } };
}
