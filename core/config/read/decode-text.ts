const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a file, without a byte order mark.
 * @throws Error when the bytes are not valid UTF-8
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Error('it is not valid UTF-8 text', { cause });
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder (EISDIR)'],
  ['EACCES', 'this process has no permission (EACCES)'],
  ['ELOOP', 'its symbolic links form a loop (ELOOP)'],
  ['ERR_INVALID_ARG_VALUE', 'this is not a valid file name'],
]);

/** Why a file could not be read, as the second half of a sentence. */
export function describeUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? (reasons.get(error.code) ?? String(error.code)) : error.message;
}
