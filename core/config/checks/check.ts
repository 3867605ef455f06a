import type { Extension } from '../../extensions/extension.ts';
import type { Registry } from '../../extensions/registry.ts';
import type { Environment, Filling } from '../read/interpolate.ts';
import type { Finding, Path } from '../problem.ts';

export interface CheckContext {
  /** Defaults filled in; parts of it may have failed validation. */
  readonly data: unknown;
  readonly registry: Registry;
  /** Those of the file that could be loaded. */
  readonly plugins: readonly Extension<'plugin'>[];
  /** The same, by their names under `providers`. */
  readonly providers: Readonly<Record<string, Extension<'provider'>>>;
  /** Absolute path of the folder of the file. */
  readonly folder: string;
  /** Is the path written in the file (and not a default)? */
  isWritten(path: Path): boolean;
  /** May the value at the path be shown? Text of variables and files may not. */
  isShown(path: Path): boolean;
  /** What the `${…}` of the value stand for. */
  fillingsOf(path: Path): readonly Filling[];
  readonly env: Environment;
}

/** Finds what a schema cannot: references that lead nowhere, and settings that exclude each other. */
export type Check = (context: CheckContext) => readonly Finding[];
