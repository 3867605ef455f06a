import {
  createRenewal,
  createRenewedCredential,
  readApiKeys,
  type Credential,
  type Renewal,
  type Services,
} from '../../../core/api/index.ts';
import { versionSecret } from '../../../core/api/internal.ts';
import { loadLogin, type Login } from './load-login.ts';
import type { VertexOptions } from './schema.ts';

/** The credentials of a provider, and what each call of theirs gets. */
export interface Logins {
  readonly credentials: readonly Credential[];
  /** Undefined for an unknown credential. `Credential.ready` has loaded it. */
  login(credential: string): Login | undefined;
}

export const hasKeys = ({ apiKey = '', apiKeys = [] }: VertexOptions): boolean =>
  [apiKey, ...apiKeys].some((key) => typeof key !== 'string' || key.trim() !== '');

const createKeyLogins = (options: VertexOptions, services: Services): Logins => {
  const keys = readApiKeys(options, services);
  const logins = keys.prepare((secret) => ({ headers: { 'x-goog-api-key': secret } }));
  return { credentials: keys.credentials, login: (credential) => logins.get(credential) };
};

/** The library is imported here, so that a gateway without this provider does not load it. */
const createRenewedLogin = async (
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

const ID = 'google-cloud';
const unavailable =
  'no project is set: give this provider config.project, or config.apiKey for express mode, in gateway.yaml';

/** API keys if there is one, otherwise Google credentials, whose token is renewed before it ends. */
export async function createLogins(options: VertexOptions, services: Services): Promise<Logins> {
  if (hasKeys(options)) return createKeyLogins(options, services);
  const { project = '', credentials = '' } = options;
  if (project === '' && credentials.trim() === '')
    return { credentials: [{ id: ID, unavailable }], login: () => undefined };
  const renewal = await createRenewedLogin(credentials, services);
  return {
    credentials: [createRenewedCredential(ID, renewal, ({ headers }) => JSON.stringify(headers))],
    login: (credential) => (credential === ID ? renewal.current : undefined),
  };
}
