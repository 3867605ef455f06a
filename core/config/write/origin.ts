import type { Filling } from '../read/interpolate.ts';
import type { OpenedConfig } from '../read/open-config.ts';
import type { Path } from '../problem.ts';

const describeFilling = (filling: Filling): string => {
  if ('file' in filling) return `file ${filling.file}`;
  return filling.isSet ? `variable ${filling.variable}` : `default of variable ${filling.variable}`;
};

/** Where a value comes from: `default`; `gateway.yaml:12`; `gateway.yaml:12, variable OPENAI_API_KEY`. */
export function describeOrigin(
  { isWritten, fillingsOf, findKey }: Pick<OpenedConfig, 'isWritten' | 'fillingsOf' | 'findKey'>,
  path: Path,
): string {
  if (!isWritten(path)) return 'default';
  const { file, line } = findKey(path);
  return [`${file}:${line}`, ...fillingsOf(path).map(describeFilling)].join(', ');
}
