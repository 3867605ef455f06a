import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { writeSeconds } from '../shared/durations.ts';
import type { Note } from '../shared/notes.ts';
import { always, byClass } from '../shared/reasons.ts';
import { countOf, numberOf } from '../shared/read.ts';
import { unlessEmpty } from '../shared/sections.ts';

/** Each section of this name, in the config and all of its targets. */
function collect(
  target: JsonObject,
  name: string,
  at: ConfigPath = [],
): readonly { readonly section: JsonObject; readonly at: ConfigPath }[] {
  const own = [
    { section: target[name], at: [...at, name] },
    { section: readObject(target['strategy'])[name], at: [...at, 'strategy', name] },
  ].flatMap(({ section, at: where }) => (isObject(section) ? [{ section, at: where }] : []));
  return [
    ...own,
    ...readList(target['targets']).flatMap((child, index) =>
      collect(readObject(child), name, [...at, 'targets', index]),
    ),
  ];
}

const TO: ConfigPath = ['plugins'];
/** The largest number of retries on the same target. */
const MAX_RETRIES = 5;

const readRetries = (config: JsonObject, note: Note): JsonObject => {
  const given = collect(config, 'retry').map((one) => ({ ...one, attempts: numberOf(one.section['attempts']) ?? 0 }));
  const [first] = given;
  if (first === undefined) return {};
  for (const { section, at } of given) {
    if (section['on_status_codes'] !== undefined) note([...at, 'on_status_codes'], byClass, TO);
    for (const name of ['use_retry_after_header', 'use_retry_after_headers'])
      if (section[name] === true)
        note([...at, name], always('The pause that a vendor asks for is always respected.'), TO);
  }
  const attempts = Math.max(0, ...given.map((one) => one.attempts));
  if (given.some((one) => one.attempts !== attempts) || first.at.length > 1)
    note(first.at, 'retries of the plugin failover applies to all targets, so it is the largest of them.', TO);
  if (attempts > MAX_RETRIES)
    note(
      first.at,
      `retries is limited to ${MAX_RETRIES}: ` +
        'it counts retries on the same target, and other targets are tried as well.',
      TO,
    );
  return { retries: Math.min(Math.round(attempts), MAX_RETRIES) };
};

/** The default of `circuit.longest` in seconds. */
const DEFAULT_LONGEST = 300;

const readCircuit = (config: JsonObject, note: Note): JsonObject => {
  const [first, ...others] = collect(config, 'cb_config');
  for (const { at } of others) note(at, 'There is one circuit breaker for all targets, with the first settings.', TO);
  if (first === undefined) return {};
  const { section, at } = first;
  if (section['failure_status_codes'] !== undefined) note([...at, 'failure_status_codes'], byClass, TO);
  const calls = countOf(section['minimum_requests'] ?? section['failure_threshold']);
  const percentage = numberOf(section['failure_threshold_percentage']);
  if (section['failure_threshold'] !== undefined)
    note(
      [...at, 'failure_threshold'],
      'The circuit breaker opens when a share of at least this many calls has failed (docs/operate/failover.md).',
      TO,
    );
  const interval = (numberOf(section['cooldown_interval']) ?? 0) / 1000;
  return unlessEmpty('circuit', {
    ...(calls === undefined ? {} : { calls }),
    ...(percentage === undefined || percentage <= 0 || percentage > 100 ? {} : { failures: percentage / 100 }),
    ...(interval <= 0 ? {} : { open: writeSeconds(interval) }),
    ...(interval <= DEFAULT_LONGEST ? {} : { longest: writeSeconds(interval) }),
  });
};

/** The `config` of the plugin `failover`, without `models`. */
export const readFailover = (config: JsonObject, note: Note): JsonObject => ({
  ...readRetries(config, note),
  ...readCircuit(config, note),
});
