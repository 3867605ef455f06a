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
  /** Where settings for a built-in provider are not what its schema wants. Values of variables are not examined. */
  refused(provider: string, config: JsonObject): readonly ConfigPath[];
}

/** The result of an import. */
export interface Translation {
  /** Settings in the form of `gateway.yaml`. Contains no secrets, only `${VAR}` references. */
  readonly settings: JsonObject;
  readonly notes: readonly ImportNote[];
  /** Variables that must be set, each with a placeholder of the right form. */
  readonly variables: Readonly<Record<string, string>>;
  /** What the source does with the names of models that its clients use, read from the source alone. */
  readonly expected: readonly Expectation[];
}

/** What a source does with one name of a model: `koine import --verify` compares the result with it. */
export interface Expectation {
  /** As clients write it. */
  readonly name: string;
  /** The key of the result that requests are made with; absent: one that may use every model. */
  readonly key?: KeyPlace;
  /** Where requests can be sent, in any order; empty: they are refused. */
  readonly destinations: readonly Destination[];
}

/** A key under `organizations`. */
export interface KeyPlace {
  readonly organization: string;
  readonly project: string;
  readonly name: string;
}

/** Where requests are sent. What is absent is not stated. Variables are written as `${VAR}`. */
export interface Destination {
  /** An address, or the built-in provider that has its own. */
  readonly provider: string;
  readonly model: string;
  readonly region?: string;
  readonly project?: string;
  readonly organization?: string;
  /** The variable with the key of the vendor. */
  readonly key?: string;
}

/** A setting that could not be translated unchanged. */
export interface ImportNote {
  /** Position in the source. */
  readonly from: ConfigPath;
  /** Position in the settings where the note is written as a comment; absent: at the top. */
  readonly to?: ConfigPath;
  /** What happened to the setting, why, and the alternative. Never a secret. */
  readonly text: string;
  /** Without the setting the result would allow more than the source. `koine import` ends with 1. */
  readonly isError?: true;
}
