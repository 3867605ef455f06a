import { createRenewedCredential, readApiKeys, type Credential, type Services } from '../../../core/api/index.ts';
import { openGoogle, type Login } from '../../identity/google/login.ts';
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

const ID = 'google-cloud';
const unavailable =
  'no project is set: give this provider config.project, or config.apiKey for express mode, in gateway.yaml';

/** API keys if there is one, otherwise Google credentials, whose token is renewed before it ends. */
export async function createLogins(options: VertexOptions, services: Services): Promise<Logins> {
  if (hasKeys(options)) return createKeyLogins(options, services);
  const { project = '', credentials = '' } = options;
  if (project === '' && credentials.trim() === '')
    return { credentials: [{ id: ID, unavailable }], login: () => undefined };
  const renewal = await openGoogle(credentials, services);
  return {
    credentials: [createRenewedCredential(ID, renewal, ({ headers }) => JSON.stringify(headers))],
    login: (credential) => (credential === ID ? renewal.current : undefined),
  };
}
