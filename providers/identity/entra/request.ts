import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FetchOptions, Services } from '../../../core/api/index.ts';
import type { CompleteEntra } from './settings.ts';

/** A request for a token. */
export interface TokenRequest extends Pick<FetchOptions, 'method' | 'headers' | 'body'> {
  readonly url: string;
}

type Settings = CompleteEntra['settings'];
type Context = Pick<Services, 'clock' | 'folder'>;
type Environment = Readonly<Record<string, string | undefined>>;

const ASSERTION_SECONDS = 300;
const BY_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const tokenUrl = ({ authority, tenantId }: Settings): string => `${authority}/${tenantId}/oauth2/v2.0/token`;

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
const requestAsClient = (settings: Settings, proof: Readonly<Record<string, string>>): TokenRequest => {
  const { clientId, scope } = settings;
  return {
    url: tokenUrl(settings),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept': 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, scope, ...proof }).toString(),
  };
};

/** https://learn.microsoft.com/entra/identity-platform/certificate-credentials */
const signAssertion = async (settings: Settings, { clock, folder }: Context): Promise<string> => {
  const { SignJWT } = await import('jose');
  const pem = await readFile(resolve(folder, settings.certificate));
  const thumbprint = new X509Certificate(pem).fingerprint256.replaceAll(':', '');
  const now = Math.floor(clock.now() / 1_000);
  return await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({
      'alg': 'PS256',
      'typ': 'JWT',
      'x5t#S256': Buffer.from(thumbprint, 'hex').toString('base64url'),
    })
    .setIssuer(settings.clientId)
    .setSubject(settings.clientId)
    .setAudience(tokenUrl(settings))
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + ASSERTION_SECONDS)
    .sign(createPrivateKey(pem));
};

/** The address of the machine's identities; Azure's own libraries read the variable too. */
const METADATA = 'http://169.254.169.254';

/**
 * App Service, Functions and Container Apps name an address of their own in the environment:
 * https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference.
 * Virtual machines and AKS have the metadata service:
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 */
const requestAsMachine = ({ clientId, scope }: Settings, environment: Environment): TokenRequest => {
  const { IDENTITY_ENDPOINT: endpoint = '', IDENTITY_HEADER: header = '' } = environment;
  const isService = endpoint !== '' && header !== '';
  const host = environment['AZURE_POD_IDENTITY_AUTHORITY_HOST'] ?? METADATA;
  const url = new URL(isService ? endpoint : '/metadata/identity/oauth2/token', host);
  url.searchParams.set('api-version', isService ? '2019-08-01' : '2018-02-01');
  url.searchParams.set('resource', scope.replace(/\/\.default$/, ''));
  if (clientId !== '') url.searchParams.set('client_id', clientId);
  return { url: url.href, method: 'GET', headers: isService ? { 'x-identity-header': header } : { metadata: 'true' } };
};

/** Builds the request for a token. Files are read anew, so that they can rotate. @throws if a file cannot be read */
export async function buildTokenRequest(
  settings: Settings,
  context: Context,
  environment: Environment,
): Promise<TokenRequest> {
  switch (settings.identity) {
    case 'managed':
      return requestAsMachine(settings, environment);
    case 'client-secret':
      return requestAsClient(settings, { client_secret: settings.clientSecret });
    case 'certificate': {
      const assertion = await signAssertion(settings, context);
      return requestAsClient(settings, { client_assertion_type: BY_ASSERTION, client_assertion: assertion });
    }
    case 'workload': {
      const assertion = (await readFile(resolve(context.folder, settings.assertionFile), 'utf8')).trim();
      return requestAsClient(settings, { client_assertion_type: BY_ASSERTION, client_assertion: assertion });
    }
  }
}
