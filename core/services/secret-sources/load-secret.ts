import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isObject } from '../../canonical/json/members.ts';
import { knowRenewed } from '../../canonical/text/known-secrets.ts';
import { runProgram } from './run-program.ts';
import type { SecretSource } from './source.ts';

/** A secret, and when it ends: Unix milliseconds, `Infinity` if it is not known to end. */
export interface LoadedSecret {
  readonly secret: string;
  readonly endsAt: number;
}

const MAX_FILE = 65_536;

const readText = async (file: string): Promise<string> => {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_FILE + 1), 0, MAX_FILE + 1, 0);
    if (bytesRead > MAX_FILE) throw new Error(`the file has more than ${MAX_FILE / 1_024} kB`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
};

const readFile = async (file: string): Promise<string> => {
  try {
    return await readText(file);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown)
      throw new Error(`the file cannot be read (${String(thrown.code)})`, { cause: thrown });
    throw thrown;
  }
};

/** A secret goes into a header. */
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const checkSecret = (text: string): string => {
  const secret = text.trim();
  knowRenewed(secret);
  if (secret === '') throw new Error('it is empty');
  if (!PRINTABLE.test(secret)) throw new Error('it is not one line of printable ASCII characters');
  return secret;
};

const parseObject = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text.
    throw new Error('the program printed invalid JSON');
  }
};

/**
 * Reads an `ExecCredential`, as Kubernetes defines it: `{ status: { token, expirationTimestamp } }`.
 * https://kubernetes.io/docs/reference/config-api/client-authentication.v1/
 */
const readCredential = (text: string): LoadedSecret => {
  const credential = parseObject(text);
  const status = isObject(credential) ? credential['status'] : undefined;
  const { token, expirationTimestamp: end } = isObject(status) ? status : {};
  if (typeof token !== 'string') throw new Error('the program printed JSON without status.token');
  const secret = checkSecret(token);
  if (end === undefined) return { secret, endsAt: Number.POSITIVE_INFINITY };
  const endsAt = typeof end === 'string' ? Date.parse(end) : Number.NaN;
  if (Number.isNaN(endsAt)) throw new Error('status.expirationTimestamp of the program is not a date and time');
  return { secret, endsAt };
};

/**
 * Loads a secret: the content of a file, or what a program prints, as plain text or as an `ExecCredential`. Surrounding
 * white space is removed. The secret is redacted in logs from now on.
 * @param folder to which relative paths refer
 * @throws Error that does not contain the secret
 */
export async function loadSecret(source: SecretSource, folder: string, signal: AbortSignal): Promise<LoadedSecret> {
  const { file, exec = [] } = source;
  const text = file === undefined ? await runProgram(exec, folder, signal) : await readFile(resolve(folder, file));
  if (file === undefined && text.trimStart().startsWith('{')) return readCredential(text);
  return { secret: checkSecret(text), endsAt: Number.POSITIVE_INFINITY };
}
