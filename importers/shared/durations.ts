/** The longest time that a timer supports. */
const MAX_SECONDS = 2_000_000;
/** Formats seconds as a duration of our file. */
export function writeSeconds(given: number): string {
  const seconds = Math.min(given, MAX_SECONDS);
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.max(1, Math.round(seconds * 1000))}ms`;
}
