import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { CheckedCatalog, OptionFinding } from '../../contracts/option-finding.ts';
import { listFirstBytes } from '../checks/timeouts.ts';
import { member, names } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import type { LoadedExtensions, Placed } from '../load-extensions.ts';
import type { Finding, Path } from '../problem.ts';

interface Options {
  readonly path: Path;
  readonly options: unknown;
  readonly check: ((options: unknown, catalog: CheckedCatalog) => readonly OptionFinding[]) | undefined;
}

export interface CheckOptionsContext {
  /** Defaults filled in. */
  readonly data: unknown;
  /** What has been found wrong already: options that their schema refuses are not asked about. */
  readonly violations: readonly Finding[];
  isShown(path: Path): boolean;
}

const startsWith = (path: Path, start: Path): boolean => start.every((segment, index) => path[index] === segment);

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, segment) => (Array.isArray(value) ? value[Number(segment)] : member(value, String(segment))),
    data,
  );

const placeOptions = (
  data: unknown,
  { path, extension: { definition } }: Placed<'plugin'> | Placed<'provider'>,
): Options => {
  const config = [...path.slice(0, -1), 'config'];
  return { path: config, options: valueAt(data, config), check: definition.check?.bind(definition) };
};

const askExtension = ({ options, check }: Options, catalog: CheckedCatalog): readonly OptionFinding[] => {
  try {
    return check?.(options, catalog) ?? [];
  } catch (thrown) {
    return [{ path: [], message: `Its check failed: ${thrown instanceof Error ? thrown.message : String(thrown)}` }];
  }
};

/** What the extensions themselves find wrong with their settings. */
export function checkOptions(
  { providers, plugins }: Pick<LoadedExtensions, 'providers' | 'plugins'>,
  { data, violations, isShown }: CheckOptionsContext,
): readonly Finding[] {
  const describe = (place: Options, { path, message, severity }: OptionFinding): Finding => {
    const at: Path = [...place.path, ...path];
    const value = valueAt(data, at);
    const quotes = !isShown(at) && typeof value === 'string' && value !== '' && message.includes(value);
    return omitUndefined({
      path: at,
      rule: 'refused-setting',
      message: quotes ? `${describePath(at)} cannot be used as it is.` : message,
      severity,
    });
  };
  const catalog: CheckedCatalog = { models: [...names(member(data, 'models'))], timeouts: listFirstBytes(data) };
  return [...Object.values(providers), ...plugins]
    .map((placed) => placeOptions(data, placed))
    .filter(({ path }) => !violations.some((violation) => startsWith(violation.path, path)))
    .flatMap((place) => askExtension(place, catalog).map((finding) => describe(place, finding)));
}
