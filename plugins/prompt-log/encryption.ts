import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { readText } from '../../core/api/codec.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** A key, and the name by which a line says which one it needs. */
export interface EncryptionKey {
  readonly bytes: Buffer;
  /** A digest that does not show the key. */
  readonly id: string;
}

/** @throws Error for a key of another length */
export function readKey(text: string): EncryptionKey {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES)
    throw new Error(
      'Write a key of 32 bytes in base64, as "openssl rand -base64 32" prints it, and keep it in a variable.',
    );
  return { bytes, id: createHash('sha256').update('koine prompt-log').update(bytes).digest('hex').slice(0, 8) };
}

/** The current key and earlier ones, as the settings have them. */
export const readKeys = (key: string, oldKeys: readonly string[]): readonly EncryptionKey[] =>
  [key, ...oldKeys].filter((text) => text !== '').map(readKey);

const associatedData = (id: string): Buffer => Buffer.from(`koine prompt-log 1 ${id}`);

/**
 * A line of JSON that only a holder of the key can read, and in which no byte of the text can be changed unnoticed.
 * @param request the id of the request, by which the line can be found without decrypting others
 */
export function encryptLine({ bytes, id }: EncryptionKey, text: string, request?: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, bytes, iv).setAAD(associatedData(id));
  const data = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return JSON.stringify({ v: 1, id: request, key: id, data: data.toString('base64') });
}

/** @throws Error if no key fits, or the line was changed */
export function decryptLine(keys: readonly EncryptionKey[], line: string): string {
  const { key: id, data: text } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const key = keys.find((each) => each.id === id);
  if (key === undefined)
    throw new Error(`It needs the key ${readText(id)}, which is neither encryptionKey nor in oldKeys.`);
  const data = Buffer.from(readText(text), 'base64');
  const decipher = createDecipheriv(ALGORITHM, key.bytes, data.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(associatedData(key.id))
    .setAuthTag(data.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(data.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
}
