import type { Substitution } from '../read/interpolate.ts';
import type { OpenedConfig } from '../read/open-config.ts';
import type { Path } from '../problem.ts';

const describeFilling = (substitution: Substitution): string => {
  if ('file' in substitution) return `file ${substitution.file}`;
  return substitution.isSet ? `variable ${substitution.variable}` : `default of variable ${substitution.variable}`;
};

/** The source of a value: `default`, `gateway.yaml:12` or `gateway.yaml:12, variable OPENAI_API_KEY`. */
export function describeOrigin(
  { isWritten, substitutionsOf, findKey }: Pick<OpenedConfig, 'isWritten' | 'substitutionsOf' | 'findKey'>,
  path: Path,
): string {
  if (!isWritten(path)) return 'default';
  const { file, line } = findKey(path);
  return [`${file}:${line}`, ...substitutionsOf(path).map(describeFilling)].join(', ');
}
