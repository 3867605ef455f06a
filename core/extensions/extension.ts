import type { Importer } from './importer.ts';
import type { PluginDefinition } from '../contracts/plugin.ts';
import type { ProviderDefinition } from '../contracts/provider.ts';
import type { ExtensionCode } from './modules/code.ts';

export type ExtensionKind = 'plugin' | 'provider';

/** The default export of an extension module, by kind. */
export interface Definitions {
  plugin: PluginDefinition;
  provider: ProviderDefinition;
}

/** The built-in definitions by kind and name, listed in `core/built-ins.ts`. Their names are reserved. */
export type BuiltIns = GivenDefinitions & {
  /**
   * Further built-in providers by name. Loaded when a configuration uses them, so they have no wire and no framing of
   * their own.
   */
  readonly presets?: Readonly<Record<string, () => Promise<ProviderDefinition>>>;
  /** Further built-in plugins by name. Loaded when a configuration uses them. */
  readonly optionalPlugins?: Readonly<Record<string, () => Promise<PluginDefinition>>>;
  /** By the name of the gateway whose configuration they translate. Loaded on use. */
  readonly importers?: Readonly<Record<string, () => Promise<Importer>>>;
  /** Definitions that a test passes as objects, by their names. */
  readonly given?: GivenDefinitions;
};

type GivenDefinitions = { readonly [K in ExtensionKind]: Readonly<Record<string, Definitions[K]>> };

/** A loaded definition and its source. */
export interface Extension<K extends ExtensionKind> {
  readonly kind: K;
  /** The value of `use:`. */
  readonly use: string;
  readonly definition: Definitions[K];
  /** `built-in`, the path of the imported file, or `object <name>`. */
  readonly source: string;
  /** The hash of its files when it was loaded. Absent for a built-in, and if they could not be hashed. */
  readonly integrity?: string;
  /** Whether the configuration pins the hash. */
  readonly isPinned?: boolean;
  /** Its own files, which a reload loads again after a change. Absent for a built-in and for an installed package. */
  readonly code?: ExtensionCode;
  /** How many versions of its code this process has loaded. */
  readonly versions?: number;
  /** It is a package that has changed since this process imported it. */
  readonly isOutdated?: boolean;
  /** Differences between the gateway and the version that the extension was written for. */
  readonly warnings?: readonly string[];
}
