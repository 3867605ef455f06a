/**
 * Writes into a map that holds at most `capacity` entries, so that presented rubbish cannot fill the memory.
 * @returns the key of the entry that had to go, the one written longest ago; undefined where none had to
 */
export function setBounded<V>(map: Map<string, V>, capacity: number, key: string, value: V): string | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= capacity) return undefined;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
  return oldest;
}
