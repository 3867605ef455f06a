const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a file, without a byte order mark. @throws Error where it is no UTF-8 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Error('it is not text in UTF-8', { cause });
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder (EISDIR)'],
  ['EACCES', 'this process may not (EACCES)'],
  ['ELOOP', 'its links lead round in a circle (ELOOP)'],
  ['ERR_INVALID_ARG_VALUE', 'no file can have this name'],
]);

/** Why a file could not be read, as a sentence goes on. */
export function describeUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? (reasons.get(error.code) ?? String(error.code)) : error.message;
}
