/** Whether an entry such as `openai/*` stands for every model of the provider, named by the text in place of `*`. */
export const isWildcard = (id: string): boolean => id.includes('*');

/** No segment is `.` or `..`, because providers put names into paths. */
const NAME = /^[\w@][\w.:@+-]*(?:\/[\w@][\w.:@+-]*)*$/;
const MAX_NAME = 128;

const split = (pattern: string): readonly [start: string, end: string] => {
  const first = pattern.indexOf('*');
  return [pattern.slice(0, first), pattern.slice(pattern.lastIndexOf('*') + 1)];
};

/** The name in an id that a wildcard matches. */
export function readName(wildcard: string, id: string): string | undefined {
  const [start, end] = split(wildcard);
  if (!isWildcard(wildcard) || !id.startsWith(start) || !id.endsWith(end)) return undefined;
  const name = id.slice(start.length, id.length - end.length);
  return name.length <= MAX_NAME && NAME.test(name) ? name : undefined;
}

/** Whether the wildcard matches the id. */
export const matchesWildcard = (wildcard: string, id: string): boolean => readName(wildcard, id) !== undefined;

/** Whether a pattern of ids, or an id, can match a model of the wildcard. */
export function overlapsWildcard(wildcard: string, pattern: string): boolean {
  if (!isWildcard(wildcard)) return false;
  if (!isWildcard(pattern)) return matchesWildcard(wildcard, pattern);
  const [[start, end], [otherStart, otherEnd]] = [split(wildcard), split(pattern)];
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) && (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}
