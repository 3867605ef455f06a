import {
  createApiKeySchemas,
  type ApiKeySettings,
  type JsonObject,
  type OptionFinding,
} from '../../../core/api/index.ts';
import { correctUsageSchema } from '../schema.ts';
import { checkEntra, entraSchema, type EntraSettings } from '../../identity/entra/settings.ts';

/** For what tokens of Microsoft Entra ID are requested: https://learn.microsoft.com/azure/foundry/openai/latest */
export const SCOPE = 'https://cognitiveservices.azure.com/.default';

/** The paths of a resource: `v1`, those with the deployment in the path, and those of other vendors' models. */
export type AzureApi = 'v1' | 'deployments' | 'models';

export interface AzureOptions extends ApiKeySettings {
  readonly endpoint?: string;
  readonly api?: AzureApi;
  readonly apiVersion?: string;
  readonly deployments?: Readonly<Record<string, string>>;
  readonly entra?: EntraSettings;
  readonly correctUsage?: boolean;
}

const ENDPOINT_END = /\/(?:openai|models)(?:\/.*)?$/;

/** The variable that the vendor's SDK reads. */
const ENDPOINT_VARIABLE = 'AZURE_OPENAI_ENDPOINT';

/** The address of the resource; undefined without one. */
export function endpointOf({ endpoint = '' }: AzureOptions): string | undefined {
  const found = endpoint.trim() || (process.env[ENDPOINT_VARIABLE] ?? '').trim();
  return URL.canParse(found) ? found : undefined;
}

export const NO_ENDPOINT = `no endpoint is set: give this provider config.endpoint, or set ${ENDPOINT_VARIABLE}`;

/** What the schema cannot express. */
export function checkAzure({ endpoint = '', entra }: AzureOptions): readonly OptionFinding[] {
  const message =
    'The endpoint is the address of the resource, such as https://NAME.openai.azure.com: remove the path from ' +
    '/openai or /models on, which the setting api adds.';
  return [
    ...(ENDPOINT_END.test(endpoint.replace(/\/+$/, '')) ? [{ path: ['endpoint'], message }] : []),
    ...(entra === undefined ? [] : checkEntra(entra)),
  ];
}

/** `providers.<name>.config` */
export const azureSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Azure OpenAI',
  type: 'object',
  additionalProperties: false,
  properties: {
    endpoint: {
      type: 'string',
      pattern: '^(?:https?://[^?#\\s]+)?$',
      description:
        'The address of the resource: https://NAME.openai.azure.com or https://NAME.services.ai.azure.com, without ' +
        `the path of the API. Empty: ${ENDPOINT_VARIABLE}. Without either, the models are unavailable.`,
      default: '',
    },
    api: {
      enum: ['v1', 'deployments', 'models'],
      description:
        'The paths: v1 is /openai/v1. deployments is /openai/deployments/NAME with an api-version, for older ' +
        'versions and for gateways in front of a resource. models is /models, for models of other vendors.',
      default: 'v1',
    },
    apiVersion: {
      type: 'string',
      pattern: '^[A-Za-z0-9.-]+$',
      description:
        'The api-version of each call. Default: none for v1, 2024-10-21 for deployments, and ' +
        '2024-05-01-preview for models.',
    },
    deployments: {
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1 },
      description:
        'The deployments whose name is not that of the model: the model of the target, and its deployment. ' +
        'A target names the model, so that its prices and capabilities are known.',
      default: {},
      examples: [{ 'gpt-5-mini': 'team-mini-sweden' }],
    },
    ...createApiKeySchemas('A key of the resource, sent as api-key.'),
    entra: entraSchema(SCOPE),
    correctUsage: correctUsageSchema,
  },
};
