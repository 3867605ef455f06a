import { readList } from '../../canonical/json/read.ts';
import type { CheckedCatalog } from '../../contracts/extension.ts';
import { describePath } from '../describe-path.ts';
import { isDuration, parseDuration, formatDuration } from '../units/duration.ts';
import type { Finding, Path } from '../problem.ts';
import type { CheckContext } from './check.ts';
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
export function* checkTimeouts({ data, isWritten }: CheckContext): Iterable<Finding> {
  function* compare(path: Path, timeouts: unknown, totalMs: number | undefined): Iterable<Finding> {
    for (const name of partial) {
      const milliseconds = readTimeout(timeouts, name);
      const at = [...path, name];
      if (milliseconds === undefined || totalMs === undefined || milliseconds < totalMs || !isWritten(at)) continue;
      const message =
        `${describePath(at)} has no effect: ` +
        `it is not below timeouts.total, which is ${formatDuration(totalMs)} here.`;
      yield { path: at, severity: 'warning', rule: 'ineffective-timeout', message };
    }
  }
  for (const [name, provider] of entries(member(data, 'providers'))) {
    const timeouts = member(provider, 'timeouts');
    yield* compare(['providers', name, 'timeouts'], timeouts, readTimeout(timeouts, 'total'));
  }
  for (const [id, model] of listModels(data)) {
    const timeouts = member(model, 'timeouts');
    if (timeouts === undefined) continue;
    const totals = readList(member(model, 'targets')).flatMap(
      (target) => readTimeout(timeoutsOf(data, target), 'total') ?? [],
    );
    const longest = totals.length === 0 ? undefined : Math.max(...totals);
    yield* compare(['models', id, 'timeouts'], timeouts, readTimeout(timeouts, 'total') ?? longest);
  }
}
