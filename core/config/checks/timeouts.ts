import { readList } from '../../canonical/json/read.ts';
import type { CheckedCatalog } from '../../contracts/extension.ts';
import { describePath } from '../describe-path.ts';
import { isDuration, parseDuration, formatDuration } from '../units/duration.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { entries, listModels, member, text } from './tolerant.ts';

const readTimeout = (timeouts: unknown, name: string): number | undefined => {
  const value = member(timeouts, name);
  return isDuration(value) ? parseDuration(value) : undefined;
};

/** The timeouts of the provider of a target. */
const timeoutsOf = (data: unknown, target: unknown): unknown =>
  member(member(member(data, 'providers'), text(member(target, 'provider')) ?? ''), 'timeouts');

/**
 * The longest `firstByte` before the last target of each model, for plugins that compare it with their own deadlines.
 */
export const listFirstBytes = (data: unknown): NonNullable<CheckedCatalog['timeouts']> =>
  Object.fromEntries(
    listModels(data).map(([id, model]) => {
      const targets = readList(member(model, 'targets'));
      const own = readTimeout(member(model, 'timeouts'), 'firstByte');
      const each = targets.slice(0, -1).map((target) => own ?? readTimeout(timeoutsOf(data, target), 'firstByte') ?? 0);
      return [id, { targets: targets.length, firstByteMs: Math.max(0, ...each) }];
    }),
  );

/** The targets of each model, as `provider/model`. */
export const listTargets = (data: unknown): NonNullable<CheckedCatalog['targets']> =>
  Object.fromEntries(
    listModels(data).map(([id, model]) => [
      id,
      readList(member(model, 'targets')).map(
        (target) => `${text(member(target, 'provider')) ?? ''}/${text(member(target, 'model')) ?? ''}`,
      ),
    ]),
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
    ...listModels(data).flatMap(([id, model]) => {
      const timeouts = member(model, 'timeouts');
      if (timeouts === undefined) return [];
      const totals = readList(member(model, 'targets')).flatMap(
        (target) => readTimeout(timeoutsOf(data, target), 'total') ?? [],
      );
      return compare(
        ['models', id, 'timeouts'],
        timeouts,
        readTimeout(timeouts, 'total') ?? (totals.length === 0 ? undefined : Math.max(...totals)),
      );
    }),
  ];
};
