import { readList } from '../../canonical/json/read.ts';
import type { CheckedCatalog } from '../../contracts/extension.ts';
import { describePath } from '../describe-path.ts';
import { isDuration, parseDuration, formatDuration } from '../units/duration.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { entries, member, text } from './tolerant.ts';

const readTimeout = (timeouts: unknown, name: string): number | undefined => {
  const value = member(timeouts, name);
  return isDuration(value) ? parseDuration(value) : undefined;
};

/** The timeouts of the providers of a model's targets, in the order of the targets. */
const timeoutsOfTargets = (data: unknown, model: unknown): readonly unknown[] =>
  readList(member(model, 'targets')).map((target) =>
    member(member(member(data, 'providers'), text(member(target, 'provider')) ?? ''), 'timeouts'),
  );

/**
 * The longest `firstByte` before the last target of each model, for plugins that compare it with their own deadlines.
 */
export const listFirstBytes = (data: unknown): NonNullable<CheckedCatalog['timeouts']> =>
  Object.fromEntries(
    entries(member(data, 'models')).map(([id, model]) => {
      const providers = timeoutsOfTargets(data, model);
      const own = readTimeout(member(model, 'timeouts'), 'firstByte');
      const each = providers.slice(0, -1).map((timeouts) => own ?? readTimeout(timeouts, 'firstByte') ?? 0);
      return [id, { targets: providers.length, firstByteMs: Math.max(0, ...each) }];
    }),
  );

const partial = ['firstByte', 'firstContent', 'idle'];

/** A timeout of a part of the call has no effect unless it is below the timeout of the whole call. */
export const checkTimeouts: Check = ({ data, isWritten }) => {
  const compare = (path: Path, timeouts: unknown, totalMs: number | undefined): readonly Finding[] =>
    partial.flatMap((name): readonly Finding[] => {
      const milliseconds = readTimeout(timeouts, name);
      const at = [...path, name];
      if (milliseconds === undefined || totalMs === undefined || milliseconds < totalMs || !isWritten(at)) return [];
      const message =
        `${describePath(at)} has no effect: ` +
        `it is not below timeouts.total, which is ${formatDuration(totalMs)} here.`;
      return [{ path: at, severity: 'warning', rule: 'ineffective-timeout', message }];
    });
  return [
    ...entries(member(data, 'providers')).flatMap(([name, provider]) => {
      const timeouts = member(provider, 'timeouts');
      return compare(['providers', name, 'timeouts'], timeouts, readTimeout(timeouts, 'total'));
    }),
    ...entries(member(data, 'models')).flatMap(([id, model]) => {
      const timeouts = member(model, 'timeouts');
      const totals = timeoutsOfTargets(data, model).flatMap((provider) => readTimeout(provider, 'total') ?? []);
      return compare(
        ['models', id, 'timeouts'],
        timeouts,
        readTimeout(timeouts, 'total') ?? (totals.length === 0 ? undefined : Math.max(...totals)),
      );
    }),
  ];
};
