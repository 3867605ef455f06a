/** Ids of this wire: https://platform.claude.com/docs/en/api/messages. Others are refused in every later turn. */
const LEGAL = /^[a-zA-Z0-9_-]+$/;
/** Begins an id in which `-` and two digits stand for a byte. */
const ESCAPED = 'esc-';

const escapeByte = (byte: number): string => {
  const character = String.fromCharCode(byte);
  return /[a-zA-Z0-9_]/.test(character) ? character : `-${byte.toString(16).padStart(2, '0')}`;
};

/** The id of a call in a form of this wire: Kimi has ids such as `functions.list:0`. */
export const writeCallId = (id: string): string =>
  LEGAL.test(id) && !id.startsWith(ESCAPED) ? id : ESCAPED + [...Buffer.from(id)].map(escapeByte).join('');

/** The id that the vendor gave, where the client returns one that {@link writeCallId} has written. */
export function readCallId(id: string): string {
  if (!id.startsWith(ESCAPED)) return id;
  const given = Buffer.from(
    id.slice(ESCAPED.length).replaceAll(/-([0-9a-f]{2})/g, (_match, byte: string) => `%${byte}`),
  ).toString();
  try {
    const read = decodeURIComponent(given);
    return writeCallId(read) === id ? read : id;
  } catch {
    return id;
  }
}
