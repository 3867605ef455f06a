import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { entryOf } from '../support/scene.ts';

export const ADMIN_TOKEN = 'the-admin-token-of-the-scim-tests';
export const SCIM_TOKEN = 'the-directory-token-of-the-scim-tests';
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The settings of a gateway whose people sign in at this issuer and are provisioned by SCIM. */
export const settingsOf = (issuer: string, scim: object = {}, oidc: object = {}) => ({
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': entryOf('simulator/chat') },
  organizations: { acme: { projects: { sandbox: {} } } },
  admin: {
    port: 0,
    token: ADMIN_TOKEN,
    oidc: {
      issuer,
      clientId: 'koine',
      clientSecret: 'provider-client-secret',
      roles: { staff: 'developer' },
      ...oidc,
    },
    personalKeys: { projects: { '*': 'acme/sandbox' } },
    scim: { token: SCIM_TOKEN, ...scim },
  },
});

export const startScimGateway = (issuer = 'https://login.acme.example', scim = {}, oidc = {}): Promise<TestGateway> =>
  startTestGateway(settingsOf(issuer, scim, oidc));

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends one SCIM request. */
export type ScimCall = (method: string, path: string, body?: unknown, headers?: object) => Promise<ScimAnswer>;

/** The directory of a gateway. @param url of the admin listener */
export const createDirectory =
  (url: string): ScimCall =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${SCIM_TOKEN}`, 'content-type': 'application/scim+json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as ScimAnswer['body']),
    };
  };

export const patchOf = (...Operations: readonly object[]): object => ({ schemas: [PATCH], Operations });
