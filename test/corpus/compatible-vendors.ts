import type { Answer } from './answers/answer.ts';
import type { CorpusLine, Json } from './lines.ts';

/** A vendor as a preset or `openai-compatible` serves it. */
export interface CompatibleVendor {
  /** The preset. Absent: the vendor has none. */
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
export const editForServer = (body: Json): Json => {
  const { max_completion_tokens: newer, ...rest } = body;
  const { max_tokens: cap = newer, messages } = rest;
  return {
    ...rest,
    ...(cap === undefined ? {} : { max_tokens: cap }),
    ...(Array.isArray(messages) ? { messages: (messages as readonly Json[]).map(nameSystem) } : {}),
  };
};

/** Vendors whose preset reads reasoning between tags. */
const tagged: ReadonlySet<string> = new Set(['huggingface']);

/** What clients of other wires get of a recorded answer whose text starts with tags. */
export function separateReasoning(answer: Answer, { provider }: CorpusLine): Answer {
  const [whole, reasoning] = /^<think>\n?([^]*?)<\/think>\s*/.exec(answer.text) ?? [];
  return whole === undefined || reasoning === undefined || !tagged.has(provider)
    ? answer
    : { ...answer, text: answer.text.slice(whole.length), reasoning: answer.reasoning + reasoning };
}
