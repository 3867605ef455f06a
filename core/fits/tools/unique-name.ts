/**
 * FNV-1a: short, and the same in every process, so that names are stable in a conversation and in the vendor's prompt
 * cache.
 */
const hashText = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
};

/** Maximum lengths, in the order in which they are tried. */
const LENGTHS = [64, 48, 32, 16] as const;

const candidatesOf = function* (name: string): Generator<string> {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  for (const length of LENGTHS) {
    yield plain.slice(0, length);
    yield `t_${plain}`.slice(0, length);
  }
  // The name can be megabytes long: it is hashed once.
  const hash = hashText(name);
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const suffix = `_${attempt === 0 ? hash : hashText(`${hash} ${attempt}`)}`;
    for (const length of LENGTHS) {
      yield plain.slice(0, length - suffix.length) + suffix;
      yield `t_${plain}`.slice(0, length - suffix.length) + suffix;
    }
  }
};

/**
 * A name close to `name` that `isFree` accepts: invalid characters replaced, cut to length, with a hash if it is taken.
 * Returns `name` itself if nothing is accepted: the target then reports the error.
 */
export function createUniqueName(name: string, isFree: (candidate: string) => boolean): string {
  for (const candidate of candidatesOf(name)) if (isFree(candidate)) return candidate;
  return name;
}
