import type { JsonObject } from '../canonical/wire.ts';
import type { InitModel } from './init.ts';

/** Where something stands in a document: keys and indexes, from the root. */
export type ConfigPath = readonly (string | number)[];

/** Translates the configuration of another gateway into one of this. Pure: reads no file and no variable. */
export interface Importer {
  /** As its users call the other gateway. */
  readonly title: string;
  translate(source: JsonObject, help: ImportHelp): Translation;
}

export interface ImportHelp {
  /** What a first configuration has of a built-in provider: stands for its models where the source names none. */
  starters(provider: string): readonly InitModel[];
}

export interface Translation {
  /** As a `gateway.yaml` has them. No secret stands in them: `${VAR}` does. */
  readonly settings: JsonObject;
  readonly notes: readonly ImportNote[];
  /** Variables that must be set, each with a stand-in that is of the right form. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Something that could not be carried over as it was. */
export interface ImportNote {
  /** In the source. */
  readonly from: ConfigPath;
  /** Where in the settings the reader looks for it; absent: at their head. */
  readonly to?: ConfigPath;
  /** What became of it, why, and what to do instead. Never a secret. */
  readonly text: string;
}
