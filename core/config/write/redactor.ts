import type { JsonObject } from '../../canonical/wire.ts';
import type { Substitution } from '../read/interpolate.ts';
import { MIN_SEARCHED_LENGTH, maskUrlSecrets, maskText } from '../secrets/mask-secrets.ts';
import type { Path } from '../problem.ts';
import { collectScalars, isOption, isSecretPath, OPTIONS_DEPTH } from '../secrets/secret-paths.ts';
import { isWriteOnly } from './is-write-only.ts';

const REDACTED = '[redacted]';
const redact = (): string => REDACTED;

export interface RedactorOptions {
  /** After interpolation. */
  readonly data: unknown;
  /** The results of each `${…}` in the value at the path. */
  substitutionsOf(path: Path): readonly Substitution[];
  /** The schema of the settings of an extension, by the path of its entry: `providers.openai` or `plugins[0]`. */
  schemaOf(entry: Path): JsonObject | undefined;
}

/**
 * Redacts secrets. A value is secret if its path or its schema marks it as one, or if a variable or a file provides
 * it for an extension, whose settings are unknown here. Any other text that contains a secret is redacted as well.
 */
export interface Redactor {
  value(path: Path, value: unknown): unknown;
  /** Redacts text before interpolation, with its `${…}`. */
  written(path: Path, text: string): string;
}

export function createRedactor({ data, substitutionsOf, schemaOf }: RedactorOptions): Redactor {
  const isSetting = (path: Path): boolean =>
    isSecretPath(path) || (isOption(path) && isWriteOnly(schemaOf(path.slice(0, 2)) ?? {}, path.slice(OPTIONS_DEPTH)));
  const isOpaque = (path: Path): boolean => isOption(path) && substitutionsOf(path).length > 0;
  const isSecret = (path: Path): boolean => isSetting(path) || isOpaque(path);
  const findSecrets = ([path, value]: readonly [Path, unknown]): readonly string[] => {
    const substitutions = substitutionsOf(path);
    if (isSetting(path)) return [String(value), ...substitutions.map(({ text }) => text)];
    // The default of a variable is readable in the file anyway.
    return isOpaque(path)
      ? substitutions.filter((substitution) => 'file' in substitution || substitution.isSet).map(({ text }) => text)
      : [];
  };
  const known = new Set(
    collectScalars(data)
      .flatMap(findSecrets)
      .filter((text) => text !== ''),
  );
  const long = [...known].filter(({ length }) => length >= MIN_SEARCHED_LENGTH);
  const redactText = (text: string): string =>
    known.has(text) || long.some((secret) => text.includes(secret)) ? REDACTED : maskUrlSecrets(text, redact);

  return {
    value: (path, value) => {
      if (typeof value === 'string') return value !== '' && isSecret(path) ? REDACTED : redactText(value);
      return typeof value === 'number' && isSecret(path) ? REDACTED : value;
    },
    written: (path, text) => (isSetting(path) ? maskText(text, redact) : redactText(text)),
  };
}
