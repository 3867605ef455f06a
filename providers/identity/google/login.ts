import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type * as GoogleAuthLibrary from 'google-auth-library';
import type { AuthClient, AwsClientOptions, IdentityPoolClientOptions } from 'google-auth-library';
import {
  createRenewal,
  GatewayError,
  type Headers,
  type JsonObject,
  type Renewal,
  type Services,
} from '../../../core/api/index.ts';
import { isObject, parseJson, readObject, readText } from '../../../core/api/codec.ts';
import { versionSecret } from '../../../core/api/internal.ts';

type Library = typeof GoogleAuthLibrary;

/** What a call gets from the credentials. */
export interface Login {
  readonly headers: Headers;
  /** The project of a service account. */
  readonly project?: string;
}

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
async function readAccount(credentials: string, folder: string): Promise<JsonObject | undefined> {
  const text = credentials.trim();
  if (text.startsWith('{')) return parseAccount(text, 'in config.credentials');
  if (text !== '') return await readAccountFile(resolve(folder, text), 'config.credentials');
  const named = process.env['GOOGLE_APPLICATION_CREDENTIALS'] ?? '';
  if (named !== '') return await readAccountFile(named, 'GOOGLE_APPLICATION_CREDENTIALS');
  const file = wellKnownFile();
  const found = await readFile(file, 'utf8').catch(() => undefined);
  return found === undefined ? undefined : parseAccount(found, `in ${file}`);
}

const scopes = ['https://www.googleapis.com/auth/cloud-platform'];
/** The library sends every refresh here, and ignores the `token_uri` of the credentials. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';

const createExternal = (library: Library, account: JsonObject): AuthClient => {
  const { credential_source: source } = account;
  const options = { ...account, scopes };
  if (isObject(source) && 'environment_id' in source)
    return new library.AwsClient(options as AwsClientOptions & object);
  return new library.IdentityPoolClient(options as IdentityPoolClientOptions & object);
};

/** @throws GatewayError for a type that is not supported */
const createClient = (library: Library, account: JsonObject | undefined): AuthClient => {
  if (account === undefined) return new library.Compute({ scopes });
  const { type } = account;
  if (type === 'service_account') {
    const client = new library.JWT({ scopes });
    client.fromJSON(account);
    return client;
  }
  if (type === 'authorized_user') {
    const client = new library.UserRefreshClient();
    client.fromJSON(account);
    return client;
  }
  if (type === 'external_account') return createExternal(library, account);
  throw new GatewayError(
    'upstream_credential',
    `The Google credentials have the type ${JSON.stringify(type ?? null)}. ` +
      "Use credentials of the type 'service_account', 'authorized_user' or 'external_account'.",
  );
};

/** Lets the requests of a client end with the signal, and go to the `token_uri` of its credentials. */
const directRequests = ({ transporter }: AuthClient, tokenUri: string, signal: AbortSignal): void => {
  transporter.interceptors.request.add({
    resolved: (config) => {
      if (tokenUri !== '' && config.url.href === TOKEN_URL) config.url = new URL(tokenUri);
      config.signal = AbortSignal.any([...(config.signal instanceof AbortSignal ? [config.signal] : []), signal]);
      return Promise.resolve(config);
    },
  });
};

/** The status of a token server's response; undefined: there was none. */
const statusOf = (thrown: unknown): number | undefined => {
  const { status } = readObject(thrown instanceof Error && 'response' in thrown ? thrown.response : undefined);
  return typeof status === 'number' ? status : undefined;
};

/** The library's error has the signed assertion in its members, so it does not become the cause. */
const describe = (thrown: unknown): GatewayError => {
  if (GatewayError.is(thrown)) return thrown;
  const status = statusOf(thrown);
  const wasSent = thrown instanceof Error && 'config' in thrown;
  const isOutage = status === undefined ? wasSent : status >= 500 || status === 429;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new GatewayError(
    isOutage ? 'upstream_unreachable' : 'upstream_credential',
    `Google issued no access token: ${reason}`,
  );
};

/**
 * Requests an access token. The credentials are read and the client is made anew, so that a rotated file is used.
 * @returns its remaining life in milliseconds
 * @throws GatewayError without secrets
 */
async function loadLogin(library: Library, credentials: string, folder: string, signal: AbortSignal) {
  try {
    const account = await readAccount(credentials, folder);
    const client = createClient(library, account);
    directRequests(client, readText(account?.['token_uri']), signal);
    const { token } = await client.getAccessToken();
    const { expiry_date: endsAt } = client.credentials;
    if (typeof token !== 'string' || typeof endsAt !== 'number')
      throw new GatewayError('upstream_credential', 'Google issued no access token: the response has no token.');
    const project = readText(account?.['project_id']);
    // Which project pays for the calls of a user.
    const payer = readText(account?.['quota_project_id']);
    const login: Login = {
      headers: { authorization: `Bearer ${token}`, ...(payer === '' ? {} : { 'x-goog-user-project': payer }) },
      ...(project === '' ? {} : { project }),
    };
    return { login, token, lifeMs: endsAt - Date.now() };
  } catch (thrown) {
    throw describe(thrown);
  }
}

/**
 * Opens Google credentials, shared by all providers that name the same ones. The library is imported here, so that a
 * gateway without them does not load it.
 */
export const openGoogle = async (
  credentials: string,
  { shared, clock, log, folder }: Services,
): Promise<Renewal<Login>> => {
  const library = await import('google-auth-library');
  return shared(
    `google/vertex ${folder} ${versionSecret(credentials)}`,
    () =>
      createRenewal(
        async (signal) => {
          const { login, token, lifeMs } = await loadLogin(library, credentials, folder, signal);
          return { value: login, endsAt: clock.now() + lifeMs, secrets: [token] };
        },
        { clock, log },
        'The access token of Google Cloud',
      ),
    (renewal) => renewal.close(),
  );
};
