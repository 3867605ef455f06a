import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { readList } from '../../canonical/json/read.ts';
import { member, text } from '../checks/tolerant.ts';
import { findChanges } from './find-changes.ts';
import type { Path } from '../problem.ts';
import { needsRestart } from './reloadability.ts';

/** A setting that differs between two configurations. */
export interface Change {
  readonly path: Path;
  /** Absent: the setting was added. */
  readonly before?: unknown;
  /** Absent: the setting was removed. */
  readonly after?: unknown;
  /** Whether a reload applies the change, or only a restart. */
  readonly reload: 'live' | 'restart';
}

/** Lists whose items have names. Their items are compared by name. */
const named: Readonly<Record<string, (item: unknown) => string>> = {
  plugins: (item) => text(member(item, 'use')) ?? '',
  routes: (item) => [text(member(item, 'path')), ...(member(item, 'operation') === 'models' ? ['GET'] : [])].join(' '),
};

const byName = (config: JsonObject): JsonObject => ({
  ...config,
  ...Object.fromEntries(
    Object.entries(named).map(([section, nameOf]) => [
      section,
      Object.fromEntries(readList(config[section]).map((item) => [nameOf(item), item])),
    ]),
  ),
});

const valueAt = (config: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, segment) => (isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined),
    config,
  );

/** Reports a changed order of plugins, which is the order in which they run. */
const findReordered = (before: JsonObject, after: JsonObject): readonly Change[] => {
  const [was, is] = [before, after].map((config) =>
    readList(config['plugins']).map((item) => text(member(item, 'use')) ?? ''),
  );
  const shared = (list: readonly string[] = [], other: readonly string[] = []): readonly string[] =>
    list.filter((use) => other.includes(use));
  return isDeepStrictEqual(shared(was, is), shared(is, was))
    ? []
    : [{ path: ['plugins'], before: was, after: is, reload: 'live' }];
};

/**
 * The settings that differ between two configurations, as `describeConfig` returns them. Secrets must be masked with
 * the same salt.
 */
export function diffConfigs(before: JsonObject, after: JsonObject): readonly Change[] {
  const [was, is] = [byName(before), byName(after)];
  const changes = findChanges(was, is).map((path): Change => {
    const [old, current] = [valueAt(was, path), valueAt(is, path)];
    return omitUndefined({ path, before: old, after: current, reload: needsRestart(path) ? 'restart' : 'live' });
  });
  return [...changes, ...findReordered(before, after)];
}
