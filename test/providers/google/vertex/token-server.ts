import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';

/** The key of a made-up service account. */
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const email = 'gateway@made-up-project.iam.gserviceaccount.com';
export const refreshToken = '1//refresh-secret-0123456789';
export const subjectToken = 'subject-secret-0123456789';

/** Google's token endpoints, as strict as the real ones. */
export interface TokenServer {
  readonly url: string;
  /** The grants that were accepted, in order. */
  readonly grants: string[];
  /** Every refused request, with the reason. */
  readonly refusals: string[];
  /** Instead of a token. */
  failure: { readonly status: number; readonly body: unknown } | undefined;
  lifeSeconds: number;
  stop(): Promise<void>;
}

const CLOUD_SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', 'metadata-flavor': 'Google' })
    .end(JSON.stringify(body));

/** @throws Error for an assertion that Google would refuse */
const checkAssertion = async (form: URLSearchParams): Promise<void> => {
  const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
    issuer: email,
    audience: 'https://oauth2.googleapis.com/token',
    algorithms: ['RS256'],
    requiredClaims: ['iat', 'exp', 'scope'],
    maxTokenAge: '1h',
  });
  if (payload['scope'] !== CLOUD_SCOPE) throw new Error(`scope ${String(payload['scope'])}`);
  if ((payload.exp ?? 0) - (payload.iat ?? 0) > 3600) throw new Error('lives longer than an hour');
  if (protectedHeader.typ !== undefined && protectedHeader.typ !== 'JWT') throw new Error('is not a JWT');
};

const checkMembers = (form: URLSearchParams, wanted: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(wanted))
    if (form.get(name) !== value) throw new Error(`${name} is ${String(form.get(name))}`);
};

const checks: Readonly<Record<string, (form: URLSearchParams) => void | Promise<void>>> = {
  'urn:ietf:params:oauth:grant-type:jwt-bearer': checkAssertion,
  'refresh_token': (form) =>
    checkMembers(form, { refresh_token: refreshToken, client_id: 'made-up-client', client_secret: 'client-secret-1' }),
  'urn:ietf:params:oauth:grant-type:token-exchange': (form) =>
    checkMembers(form, {
      subject_token: subjectToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/cluster',
      scope: CLOUD_SCOPE,
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }),
};

const checkRequest = async (request: IncomingMessage): Promise<string> => {
  const url = new URL(request.url ?? '/', 'http://server');
  if (url.pathname.startsWith('/computeMetadata/')) {
    if (request.headers['metadata-flavor'] !== 'Google') throw new Error('has no Metadata-Flavor');
    if (url.pathname !== '/computeMetadata/v1/instance/service-accounts/default/token')
      throw new Error(`is for ${url.pathname}`);
    return 'metadata';
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const grant = form.get('grant_type') ?? '';
  const check = checks[grant];
  if (check === undefined || request.method !== 'POST') throw new Error(`has the grant '${grant}'`);
  await check(form);
  return grant;
};

export const startTokenServer = async (): Promise<TokenServer> => {
  const http = createServer(async (request, response) => {
    const { failure, grants, refusals, lifeSeconds } = server;
    try {
      const grant = await checkRequest(request);
      if (failure !== undefined) return sendJson(response, failure.status, failure.body);
      grants.push(grant);
      const token = { access_token: `ya29.made-up-${grants.length}`, expires_in: lifeSeconds, token_type: 'Bearer' };
      return sendJson(response, 200, {
        ...token,
        ...(grant.endsWith('token-exchange')
          ? { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
          : {}),
      });
    } catch (thrown) {
      refusals.push((thrown as Error).message);
      return sendJson(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: TokenServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    grants: [],
    refusals: [],
    failure: undefined,
    lifeSeconds: 3600,
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
};

export const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The credentials of a service account whose tokens come from this server. */
export const serviceAccount = ({ url }: Pick<TokenServer, 'url'>, key = privatePem): object => ({
  type: 'service_account',
  project_id: 'made-up-project',
  private_key_id: 'key-id-1',
  private_key: key,
  client_email: email,
  token_uri: `${url}/token`,
});

export const authorizedUser = ({ url }: Pick<TokenServer, 'url'>): object => ({
  type: 'authorized_user',
  client_id: 'made-up-client',
  client_secret: 'client-secret-1',
  refresh_token: refreshToken,
  quota_project_id: 'paying-project',
  token_uri: `${url}/token`,
});

/** Workload identity federation, with the token of a cluster in a file. */
export const externalAccount = ({ url }: Pick<TokenServer, 'url'>, file: string): object => ({
  type: 'external_account',
  audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/cluster',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  token_url: `${url}/v1/token`,
  credential_source: { file },
});
