/** A day, or a moment of it, as the file writes it. */
export const EXPIRY_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})?)?$';

/** `Date` takes the 31st of February for the 3rd of March. */
const isDay = (day: string): boolean => {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** Is it a time that exists? The text has passed {@link EXPIRY_PATTERN}. */
export const isTime = (expires: string): boolean => isDay(expires.slice(0, 10)) && !Number.isNaN(Date.parse(expires));

/** `2027-01-31` as unix milliseconds: the beginning of the day, UTC where no zone is given. */
export const parseExpiry = (expires: string): number =>
  Date.parse(/T.*(Z|[+-]\d{2}:\d{2})$/.test(expires) || !expires.includes('T') ? expires : `${expires}Z`);
