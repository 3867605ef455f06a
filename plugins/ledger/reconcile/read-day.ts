const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/;
const UNIX_SECONDS = /^\d{9,10}(?:\.\d+)?$|^\d(?:\.\d+)?[eE]\+?9$/;

/** `+02`, `+0200` and `UTC` as `+02:00` and `Z`. */
const writeZone = (zone: string): string => {
  if (zone === '' || zone === 'Z' || zone === 'UTC') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
};

const toDay = (at: number): string | undefined =>
  Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);

/**
 * Reads the day, in UTC, of a date, a time or unix seconds. A time without a zone is in UTC, as vendors write it.
 * @returns undefined for anything else, also for a day that does not exist
 */
export function readDay(text: string): string | undefined {
  const trimmed = text.trim();
  if (UNIX_SECONDS.test(trimmed)) return toDay(Number(trimmed) * 1_000);
  const [, day, time, zone = ''] = TIME.exec(trimmed) ?? [];
  // Date.parse reads the 30th of February as the 2nd of March.
  if (day === undefined || toDay(Date.parse(`${day}T00:00:00Z`)) !== day) return undefined;
  return time === undefined ? day : toDay(Date.parse(`${day}T${time}${writeZone(zone)}`));
}
