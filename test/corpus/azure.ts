import type { CorpusLine } from './lines.ts';

type AzureApi = 'v1' | 'deployments' | 'models';

/** The paths at which a line was recorded at Azure; undefined for any other vendor. */
export const azureApiOf = ({ provider, request }: CorpusLine): AzureApi | undefined => {
  if (provider !== 'azure') return undefined;
  if (request.path?.startsWith('/models/') === true) return 'models';
  return request.path?.startsWith('/openai/deployments/') === true ? 'deployments' : 'v1';
};

const apis: readonly AzureApi[] = ['v1', 'deployments', 'models'];
export const nameAzure = (api: AzureApi): string => `azure-${api}`;

/** A provider for each API of Azure. */
export const listAzure = (endpoint: string, apiKey: string): Readonly<Record<string, object>> =>
  Object.fromEntries(apis.map((api) => [nameAzure(api), { use: 'azure-openai', config: { endpoint, api, apiKey } }]));
