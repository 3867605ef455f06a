import type { CertificateFiles } from '../certificates/read-certificates.ts';
import type { Extension } from '../../extensions/extension.ts';
import type { Registry } from '../../extensions/registry.ts';
import type { Environment, Substitution } from '../read/interpolate.ts';
import type { Finding, Path } from '../problem.ts';

export interface CheckContext {
  /** With defaults. Parts of it may have failed validation. */
  readonly data: unknown;
  readonly registry: Registry;
  /** The names of all built-in providers, of the file or not. */
  readonly builtInProviders: readonly string[];
  /** The plugins of the file that could be loaded. */
  readonly plugins: readonly Extension<'plugin'>[];
  /** The providers that could be loaded, by name under `providers`. */
  readonly providers: Readonly<Record<string, Extension<'provider'>>>;
  /** Absolute path of the folder of the file. */
  readonly folder: string;
  /** The files under `tls` of the listeners. */
  readonly certificates: CertificateFiles;
  /** Whether a file sets the path; otherwise its value is a default. */
  isWritten(path: Path): boolean;
  /** Whether messages may quote the value. Text from variables and files may be secret. */
  isShown(path: Path): boolean;
  /** The results of each `${…}` in the value. */
  substitutionsOf(path: Path): readonly Substitution[];
  readonly env: Environment;
}

/** Finds what a schema cannot express, such as unknown references and contradictory settings. */
export type Check = (context: CheckContext) => Iterable<Finding>;
