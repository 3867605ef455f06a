import type { Answer } from './answers/answer.ts';
import type { CorpusLine, Json } from './lines.ts';

/** A vendor as a preset or `openai-compatible` serves it. */
export interface CompatibleVendor {
  /** The preset, or the vendor's own provider. Absent: it has neither. */
  readonly use?: string;
  /** Its settings. */
  readonly config?: object;
  /** Members of its requests that select other models or providers, and are refused by default. */
  readonly acceptMembers?: readonly string[];
}

const settings: Readonly<Record<string, CompatibleVendor>> = {
  'alibaba': { use: 'alibaba' },
  'cerebras': { use: 'cerebras' },
  'deepseek': { use: 'deepseek' },
  'groq': { use: 'groq' },
  'huggingface': { use: 'huggingface' },
  'llama-cpp': { use: 'llama-cpp' },
  'lmstudio': { use: 'lm-studio' },
  'mistral': { use: 'mistral' },
  'moonshotai': { use: 'moonshot' },
  'ollama': { use: 'ollama-openai' },
  'openrouter': { use: 'openrouter', acceptMembers: ['models', 'provider', 'transforms', 'preset'] },
  'perplexity': { use: 'perplexity' },
  'together': { use: 'together' },
  'vllm': { use: 'vllm' },
  'xai': { use: 'xai' },
  'zai': { use: 'zai' },
  // Made up for the tests: DeepSeek R1 behind a server without a reasoning parser.
  'tagged': { config: { thinkTags: true } },
  // Its streams end without a finish reason.
  'snowflake': { config: { omitsFinishReason: true } },
};

/** On wires of OpenAI, every other vendor without a preset is an address of `openai-compatible`. */
const own: ReadonlySet<string> = new Set(['openai', 'azure']);

/** How the vendor of a line on a wire of OpenAI is served; undefined where it is by the provider `openai`. */
export const compatibleVendorOf = ({ provider }: CorpusLine): CompatibleVendor | undefined =>
  own.has(provider) ? undefined : (settings[provider] ?? {});

/** Chat templates of open models have one role for instructions. */
const nameSystem = (message: Json): Json =>
  message['role'] === 'developer' ? { ...message, role: 'system' } : message;

/** The named edits for these servers: the older name of the cap, and the older role of instructions. */
const editForServer = (body: Json): Json => {
  const { max_completion_tokens: newer, ...rest } = body;
  const { max_tokens: cap = newer, messages } = rest;
  return {
    ...rest,
    ...(cap === undefined ? {} : { max_tokens: cap }),
    ...(Array.isArray(messages) ? { messages: (messages as readonly Json[]).map(nameSystem) } : {}),
  };
};

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
/** Vendors whose preset reads reasoning between tags. */
const tagged: ReadonlySet<string> = new Set(['huggingface']);

/** What clients of other wires get of a recorded answer whose text starts with tags. */
export function separateReasoning(answer: Answer, { provider }: CorpusLine): Answer {
  const [whole, reasoning] = /^<think>\n?([^]*?)<\/think>\s*/.exec(answer.text) ?? [];
  return whole === undefined || reasoning === undefined || !tagged.has(provider)
    ? answer
    : { ...answer, text: answer.text.slice(whole.length), reasoning: answer.reasoning + reasoning };
}
/** Streams of Mistral have their usage unasked, and it refuses the member. */
export const editForVendor = (body: Json, line: CorpusLine): Json => {
  if (compatibleVendorOf(line)?.use !== 'mistral') return editForServer(body);
  const { stream_options: _options, ...rest } = body;
  return rest;
};
