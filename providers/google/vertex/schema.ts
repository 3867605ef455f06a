import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../../core/api/index.ts';

export const DEFAULT_LOCATION = 'global';

/** `providers.<name>.config`, validated by {@link vertexSchema}. */
export interface VertexOptions extends ApiKeySettings {
  readonly project?: string;
  readonly location?: string;
  readonly credentials?: string;
  readonly baseUrl?: string;
  readonly betas?: readonly string[];
}

export const vertexSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Vertex AI',
  description: 'Gemini and Claude models at Vertex AI of Google Cloud.',
  type: 'object',
  additionalProperties: false,
  properties: {
    project: {
      description:
        'Id of the Google Cloud project. Empty: the project of the service account in `credentials`, or none with an ' +
        'API key of express mode.',
      type: 'string',
      pattern: '^[a-z0-9:.-]*$',
      default: '',
    },
    location: {
      description: '`global`, a multi-region (`us`, `eu`), or a region such as `europe-west4`.',
      type: 'string',
      pattern: '^[a-z0-9-]+$',
      default: DEFAULT_LOCATION,
    },
    credentials: {
      description:
        'JSON of a service account, an authorized user or workload identity federation (external account), or the ' +
        'path of a file with it, which is read again at each renewal. Empty: GOOGLE_APPLICATION_CREDENTIALS, else ' +
        "the file of gcloud, else the machine's metadata server.",
      type: 'string',
      default: '',
    },
    ...createApiKeySchemas(
      'An API key, sent as x-goog-api-key in place of `credentials`. Without a project: express mode.',
    ),
    betas: {
      type: 'array',
      items: { type: 'string' },
      description: 'Values of `anthropic-beta` that Claude accepts there, besides those that the gateway knows.',
      default: [],
    },
    baseUrl: {
      description: 'Base URL without a version, such as a private endpoint. Empty: chosen by the location.',
      type: 'string',
      pattern: '^(https?://.*)?$',
      default: '',
    },
  },
};
