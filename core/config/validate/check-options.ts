import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { CheckedCatalog, OptionFinding } from '../../contracts/extension.ts';
import { listFirstBytes, listTargets } from '../checks/timeouts.ts';
import { member, names, valueAt } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import type { LoadedExtensions, LocatedExtension } from '../load-extensions.ts';
import type { Finding, Path } from '../problem.ts';

interface Options {
  /** Of the `config` of the extension. */
  readonly path: Path;
  readonly options: unknown;
  readonly check: ((options: unknown, catalog: CheckedCatalog) => readonly OptionFinding[]) | undefined;
}

export interface CheckOptionsContext {
  /** With defaults. */
  readonly data: unknown;
  /** Findings of the schema. Options that violate their schema are not checked further. */
  readonly violations: readonly Finding[];
  isShown(path: Path): boolean;
}

const startsWith = (path: Path, start: Path): boolean => start.every((segment, index) => path[index] === segment);

/** Whether a violation is about a `config`: in it, or at its entry, which lacks it. */
const isAbout = ({ path: at }: Finding, config: Path): boolean =>
  startsWith(at, config) || (at.length === config.length - 1 && startsWith(config, at));

const locateOptions = (
  data: unknown,
  { path, extension: { definition } }: LocatedExtension<'plugin'> | LocatedExtension<'provider'>,
): Options => {
  const config = [...path.slice(0, -1), 'config'];
  return { path: config, options: valueAt(data, config), check: definition.check?.bind(definition) };
};

const runCheck = ({ options, check }: Options, catalog: CheckedCatalog): readonly OptionFinding[] => {
  try {
    return check?.(options, catalog) ?? [];
  } catch (thrown) {
    return [
      {
        path: [],
        message: `The check of the extension failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      },
    ];
  }
};

/** The findings of the extensions about their own settings. */
export function checkOptions(
  { providers, plugins }: Pick<LoadedExtensions, 'providers' | 'plugins'>,
  { data, violations, isShown }: CheckOptionsContext,
): readonly Finding[] {
  const describe = (options: Options, { path, message, severity }: OptionFinding): Finding => {
    const at: Path = [...options.path, ...path];
    const value = valueAt(data, at);
    const quotes = !isShown(at) && typeof value === 'string' && value !== '' && message.includes(value);
    return omitUndefined({
      path: at,
      rule: 'refused-setting',
      message: quotes ? `${describePath(at)} is not accepted by the extension.` : message,
      severity,
    });
  };
  const catalog: CheckedCatalog = {
    models: [...names(member(data, 'models'))],
    get timeouts() {
      return listFirstBytes(data);
    },
    get targets() {
      return listTargets(data);
    },
  };
  return [...Object.values(providers), ...plugins]
    .map((located) => locateOptions(data, located))
    .filter(({ path }) => !violations.some((violation) => isAbout(violation, path)))
    .flatMap((options) => runCheck(options, catalog).map((finding) => describe(options, finding)));
}
