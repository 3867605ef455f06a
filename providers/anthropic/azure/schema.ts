import {
  createApiKeySchemas,
  type ApiKeySettings,
  type JsonObject,
  type OptionFinding,
} from '../../../core/api/index.ts';
import { checkEntra, entraSchema, type EntraSettings } from '../../identity/entra/settings.ts';

/** For what tokens of Microsoft Entra ID are requested. */
export const SCOPE = 'https://cognitiveservices.azure.com/.default';

/** `providers.<name>.config`, validated by {@link azureAnthropicSchema}. */
export interface AzureAnthropicOptions extends ApiKeySettings {
  readonly endpoint: string;
  readonly deployments?: Readonly<Record<string, string>>;
  readonly entra?: EntraSettings;
}

/** What the schema cannot express. */
export function check({ endpoint, entra }: AzureAnthropicOptions): readonly OptionFinding[] {
  const message =
    'The endpoint is the address of the resource, such as https://NAME.services.ai.azure.com: remove the path from ' +
    '/anthropic on, which the provider adds.';
  return [
    ...(/\/anthropic(?:\/|$)/.test(endpoint) ? [{ path: ['endpoint'], message }] : []),
    ...(entra === undefined ? [] : checkEntra(entra)),
  ];
}

export const azureAnthropicSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Anthropic on Azure',
  description: 'Claude models in Microsoft Foundry.',
  type: 'object',
  additionalProperties: false,
  required: ['endpoint'],
  properties: {
    endpoint: {
      description: 'The address of the resource: https://NAME.services.ai.azure.com, without /anthropic.',
      type: 'string',
      pattern: '^https?://[^?#\\s]+$',
    },
    ...createApiKeySchemas('The key of the resource, sent as x-api-key.'),
    deployments: {
      description: 'By the name of a model, the name of its deployment where the two differ.',
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1 },
      default: {},
    },
    entra: entraSchema(SCOPE),
  },
};
