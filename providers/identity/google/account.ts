import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { GatewayError, type JsonObject } from '../../../core/api/index.ts';
import { isObject, parseJson } from '../../../core/api/codec.ts';

/** The file that `gcloud auth application-default login` writes. */
const wellKnownFile = (): string =>
  join(process.env['CLOUDSDK_CONFIG'] ?? join(homedir(), '.config', 'gcloud'), 'application_default_credentials.json');

/** @throws GatewayError without the text, which is a secret */
const parseAccount = (text: string, source: string): JsonObject => {
  const account = parseJson(text);
  if (isObject(account)) return account;
  throw new GatewayError('upstream_credential', `The Google credentials ${source} are not a JSON object.`);
};

const readAccountFile = async (path: string, setBy: string): Promise<JsonObject> => {
  const text = await readFile(path, 'utf8').catch((thrown: Error) => {
    throw new GatewayError(
      'upstream_credential',
      `The file of the Google credentials cannot be read (${thrown.message}). Correct ${setBy}.`,
    );
  });
  return parseAccount(text, `in ${path}`);
};

/**
 * The JSON of the credentials, in the order of Google's own libraries; undefined: those of the metadata server.
 * @param folder of the configuration, for relative paths
 * @throws GatewayError `upstream_credential`
 */
export async function readAccount(credentials: string, folder: string): Promise<JsonObject | undefined> {
  const text = credentials.trim();
  if (text.startsWith('{')) return parseAccount(text, 'in config.credentials');
  if (text !== '') return await readAccountFile(resolve(folder, text), 'config.credentials');
  const named = process.env['GOOGLE_APPLICATION_CREDENTIALS'] ?? '';
  if (named !== '') return await readAccountFile(named, 'GOOGLE_APPLICATION_CREDENTIALS');
  const file = wellKnownFile();
  const found = await readFile(file, 'utf8').catch(() => undefined);
  return found === undefined ? undefined : parseAccount(found, `in ${file}`);
}
