import type { JsonObject } from '../canonical/wire.ts';
import type { InitModel } from '../contracts/extension.ts';

/** A position in a document: keys and indexes from the root. */
export type ConfigPath = readonly (string | number)[];

/** Translates the configuration of another gateway. Pure: reads no file and no environment variable. */
export interface Importer {
  /** The name of the other gateway, as its users write it. */
  readonly title: string;
  translate(source: JsonObject, help: ImportHelp): Translation;
}

/** Data that an importer can look up. */
export interface ImportHelp {
  /** The models that `koine init` writes for a built-in provider. Used if the source names none. */
  starters(provider: string): readonly InitModel[];
}

/** The result of an import. */
export interface Translation {
  /** Settings in the form of `gateway.yaml`. Contains no secrets, only `${VAR}` references. */
  readonly settings: JsonObject;
  readonly notes: readonly ImportNote[];
  /** Variables that must be set, each with a placeholder of the right form. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A setting that could not be translated unchanged. */
export interface ImportNote {
  /** Position in the source. */
  readonly from: ConfigPath;
  /** Position in the settings where the note is written as a comment; absent: at the top. */
  readonly to?: ConfigPath;
  /** What happened to the setting, why, and the alternative. Never a secret. */
  readonly text: string;
}
