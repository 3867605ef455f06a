import type { JsonObject, OptionFinding } from '../../../core/api/index.ts';

/** By what the gateway proves its identity to Microsoft Entra ID. */
export type EntraIdentity = 'client-secret' | 'certificate' | 'workload' | 'managed';

/** The setting `entra` of a provider. */
export interface EntraSettings {
  readonly identity: EntraIdentity;
  readonly tenantId?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** A PEM file with the certificate and its private key. */
  readonly certificate?: string;
  /** A file with a token of another identity provider, such as a Kubernetes cluster. */
  readonly assertionFile?: string;
  readonly authority?: string;
  readonly scope?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Name = Exclude<keyof EntraSettings, 'identity'>;

const PUBLIC_CLOUD = 'https://login.microsoftonline.com';

/** The variables that the webhook of workload identity sets in a pod. */
const variables: Readonly<Partial<Record<Name, string>>> = {
  tenantId: 'AZURE_TENANT_ID',
  clientId: 'AZURE_CLIENT_ID',
  assertionFile: 'AZURE_FEDERATED_TOKEN_FILE',
  authority: 'AZURE_AUTHORITY_HOST',
};

const required: Readonly<Record<EntraIdentity, readonly Name[]>> = {
  'client-secret': ['tenantId', 'clientId', 'clientSecret'],
  'certificate': ['tenantId', 'clientId', 'certificate'],
  'workload': ['tenantId', 'clientId', 'assertionFile'],
  'managed': [],
};
const optional: Readonly<Record<EntraIdentity, readonly Name[]>> = {
  'client-secret': ['authority', 'scope'],
  'certificate': ['authority', 'scope'],
  'workload': ['authority', 'scope'],
  'managed': ['clientId', 'scope'],
};

/** Settings with the values of the environment, and the reason for which they cannot be used. */
export interface CompleteEntra {
  readonly settings: Required<EntraSettings>;
  /** "entra.clientSecret is empty": the credential is unavailable. */
  readonly unavailable?: string;
}

/** @param scope of the vendor, for settings without one */
export function completeEntra(given: EntraSettings, scope: string, environment: Environment): CompleteEntra {
  const { identity } = given;
  const read = (name: Name): string => {
    const variable = identity === 'workload' ? variables[name] : undefined;
    return (given[name] ?? '').trim() || (variable === undefined ? '' : (environment[variable] ?? '').trim());
  };
  const settings = {
    identity,
    tenantId: read('tenantId'),
    clientId: read('clientId'),
    clientSecret: read('clientSecret'),
    certificate: read('certificate'),
    assertionFile: read('assertionFile'),
    authority: (read('authority') || PUBLIC_CLOUD).replace(/\/+$/, ''),
    scope: read('scope') || scope,
  };
  const missing = required[identity].find((name) => settings[name] === '');
  if (missing === undefined) return { settings };
  const variable = identity === 'workload' ? variables[missing] : undefined;
  const also = variable === undefined ? '' : `, and ${variable} is not in the environment`;
  return { settings, unavailable: `entra.${missing} is empty${also}: the identity '${identity}' needs it` };
}

/** Settings that the identity does not use: probably another identity is meant. */
export function checkEntra(settings: EntraSettings): readonly OptionFinding[] {
  const used = new Set<string>(['identity', ...required[settings.identity], ...optional[settings.identity]]);
  return Object.keys(settings)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['entra', name],
      message: `The identity '${settings.identity}' does not use ${name}. Remove it, or choose another identity.`,
    }));
}

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more });

/** The JSON Schema of {@link EntraSettings}. @param scope of the vendor */
export const entraSchema = (scope: string): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required: ['identity'],
  description: 'Microsoft Entra ID: calls carry a token of this identity. It is renewed before it ends. Default: none.',
  properties: {
    identity: {
      enum: Object.keys(required),
      description:
        'client-secret and certificate: an app registration. workload: a token of another identity provider in a ' +
        'file, as Kubernetes has it. managed: the identity of the machine or of the App Service.',
    },
    tenantId: text('The tenant. workload: default AZURE_TENANT_ID.', { pattern: '^[A-Za-z0-9.-]*$' }),
    clientId: text(
      'The app registration, or the user-assigned managed identity. workload: default AZURE_CLIENT_ID. ' +
        'managed: default is the identity of the system.',
    ),
    clientSecret: text(
      'The secret of the app registration, as a reference such as ${AZURE_CLIENT_SECRET:-}. Default: none.',
    ),
    certificate: text(
      'A PEM file with the certificate and its private key. It is read again at each renewal. Default: none.',
    ),
    assertionFile: text(
      'The file of the token to exchange. It is read again at each renewal. Default: AZURE_FEDERATED_TOKEN_FILE.',
    ),
    authority: text(`Where tokens are requested. workload: default AZURE_AUTHORITY_HOST. Default: ${PUBLIC_CLOUD}.`, {
      pattern: '^https://|^http://(?:127\\.0\\.0\\.1|localhost|\\[::1\\])(?::|/|$)',
    }),
    scope: text(`For what tokens are requested. Default: ${scope}.`),
  },
});
