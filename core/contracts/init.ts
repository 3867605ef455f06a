import type { WireName } from '../canonical/wire.ts';

/** What `koine init` writes for a provider into a first configuration. */
export interface ProviderInit {
  /** Variables that may hold its `apiKey`: the first one that is set is written. None: it needs no key, and is written where no other provider can be. */
  readonly env: readonly string[];
  /** By their names at the vendor; the first is the one to try. */
  readonly models: readonly InitModel[];
}

export interface InitModel {
  readonly name: string;
  /** Client wires that may name it; absent: as the catalog has it. */
  readonly wires?: readonly WireName[];
}

/** What `koine init` writes for a plugin. */
export interface PluginInit {
  /** The smaller ones come first: the order of plugins has a meaning. */
  readonly position: number;
  /** One sentence on what it does. */
  readonly comment: string;
}
