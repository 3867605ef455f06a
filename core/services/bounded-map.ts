/**
 * Sets an entry of a map that keeps at most `capacity` entries, so that input from clients cannot fill the memory.
 * @returns the key of the removed entry, which is the one set least recently; undefined when none was removed
 */
export function setBounded<V>(map: Map<string, V>, capacity: number, key: string, value: V): string | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= capacity) return undefined;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
  return oldest;
}
