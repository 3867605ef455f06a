import type { Importer } from '../contracts/importer.ts';
import type { PluginDefinition } from '../contracts/plugin.ts';
import type { ProviderDefinition } from '../contracts/provider.ts';

export type ExtensionKind = 'plugin' | 'provider';

/** What an author exports by default from a module that `use:` names. */
export interface Definitions {
  plugin: PluginDefinition;
  provider: ProviderDefinition;
}

/** Name to definition, by kind: the list in `core/built-ins.ts`. Built-in names are reserved. */
export type BuiltIns = { readonly [K in ExtensionKind]: Readonly<Record<string, Definitions[K]>> } & {
  /** By the names of other gateways whose configuration they translate; loaded when one is asked for. */
  readonly importers?: Readonly<Record<string, () => Promise<Importer>>>;
};

/** A definition and where it came from. */
export interface Extension<K extends ExtensionKind> {
  readonly kind: K;
  /** As written after `use:`. */
  readonly use: string;
  readonly definition: Definitions[K];
  /** `built-in`, or the file that was imported. */
  readonly source: string;
  /** The hash of its files when it was loaded; absent for a built-in, and where they could not be hashed. */
  readonly integrity?: string;
  /** Was the hash the one that the configuration asks for? */
  readonly isPinned?: boolean;
}
