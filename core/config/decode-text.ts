const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a file, without a byte order mark. @throws Error where it is no UTF-8 */
export const decodeText = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Error('it is not text in UTF-8', { cause });
  }
};

/** Why a file could not be read, as a sentence goes on. */
export const describeUnreadable = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.cause === undefined ? String(error.code) : error.message;
};
