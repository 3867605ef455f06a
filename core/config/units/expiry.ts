/** A date, with an optional time, in the configuration file. */
export const EXPIRY_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})?)?$';

/** `Date` converts the 31st of February to the 3rd of March. */
const isDay = (day: string): boolean => {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** Whether the date exists. The text must match {@link EXPIRY_PATTERN}. */
export const isTime = (expires: string): boolean => isDay(expires.slice(0, 10)) && !Number.isNaN(Date.parse(expires));

/** Converts `2027-01-31` to Unix milliseconds: the start of the day, in UTC unless a zone is given. */
export const parseExpiry = (expires: string): number =>
  Date.parse(/T.*(Z|[+-]\d{2}:\d{2})$/.test(expires) || !expires.includes('T') ? expires : `${expires}Z`);
