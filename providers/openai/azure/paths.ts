import type { AzureApi, AzureOptions } from './schema.ts';

/** The operations of a resource. */
export const azureOperations = [
  'chat',
  'responses',
  'compact',
  'embeddings',
  'images',
  'imageEdits',
  'transcriptions',
  'translations',
  'speech',
  'rerank',
] as const;
/** One of them. */
export type AzureOperation = (typeof azureOperations)[number];

/** https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle */
const defaultVersions: Readonly<Record<AzureApi, string>> = {
  v1: '',
  deployments: '2024-10-21',
  models: '2024-05-01-preview',
};
/** The version that first had responses, outside of the deployments. */
const RESPONSES_SINCE = '2025-03-01';
/** The version that first accepted `stream_options`. */
const USAGE_OPTION_SINCE = '2024-09-01';

/**
 * Cohere's own API below a resource, which has no versions; the deployment is the model of the body. Its address is on
 * the page of the deployment in the portal: https://github.com/BerriAI/litellm/issues/18024
 */
const RERANK = '/providers/cohere/v2/rerank';

const versionOf = ({ api = 'v1', apiVersion = defaultVersions[api] }: AzureOptions): string => apiVersion;

/** The `api-version` of calls to a path; empty for none. */
export const versionAt = (path: string, options: AzureOptions): string => (path === RERANK ? '' : versionOf(options));

/** Whether streams report their usage on request. Versions are dates, and compare as texts. */
export const hasUsageOption = (options: AzureOptions): boolean =>
  options.api !== 'deployments' || versionOf(options) >= USAGE_OPTION_SINCE;

const v1: Readonly<Record<AzureOperation, string>> = {
  chat: '/openai/v1/chat/completions',
  responses: '/openai/v1/responses',
  // https://learn.microsoft.com/azure/foundry/reference/rest/compactconversation
  compact: '/openai/v1/responses/compact',
  embeddings: '/openai/v1/embeddings',
  // https://learn.microsoft.com/azure/foundry/openai/how-to/dall-e
  images: '/openai/v1/images/generations',
  // https://learn.microsoft.com/azure/foundry/openai/how-to/dall-e#call-the-image-edit-api
  imageEdits: '/openai/v1/images/edits',
  // https://learn.microsoft.com/azure/ai-services/openai/reference-preview-latest
  transcriptions: '/openai/v1/audio/transcriptions',
  translations: '/openai/v1/audio/translations',
  speech: '/openai/v1/audio/speech',
  rerank: RERANK,
};

const inDeployments = (deployment: string, version: string): Partial<Record<AzureOperation, string>> => {
  const base = `/openai/deployments/${encodeURIComponent(deployment)}`;
  return {
    chat: `${base}/chat/completions`,
    ...(version >= RESPONSES_SINCE ? { responses: '/openai/responses' } : {}),
    embeddings: `${base}/embeddings`,
    images: `${base}/images/generations`,
    imageEdits: `${base}/images/edits`,
    transcriptions: `${base}/audio/transcriptions`,
    translations: `${base}/audio/translations`,
    speech: `${base}/audio/speech`,
    rerank: RERANK,
  };
};

/** The path of the models that the resource can deploy. */
export const listPath = ({ api = 'v1' }: AzureOptions): string | undefined =>
  ({ v1: '/openai/v1/models', deployments: '/openai/models', models: undefined })[api];

/** The paths of the operations that the API has, without those that it does not have. */
export function listPaths(options: AzureOptions, deployment: string): Partial<Record<AzureOperation, string>> {
  if (options.api === 'models')
    return { chat: '/models/chat/completions', embeddings: '/models/embeddings', rerank: RERANK };
  return options.api === 'deployments' ? inDeployments(deployment, versionOf(options)) : v1;
}
