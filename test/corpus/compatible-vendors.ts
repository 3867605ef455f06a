import type { CorpusLine, Json } from './lines.ts';

/** A vendor as `openai-compatible` serves it. */
export interface CompatibleVendor {
  /** Its own provider, where it has one. */
  readonly use?: string;
  /** Its settings. */
  readonly config?: object;
  /** Members of its requests that select other models or providers, and are refused by default. */
  readonly acceptMembers?: readonly string[];
}

const settings: Readonly<Record<string, CompatibleVendor>> = {
  mistral: { use: 'mistral' },
  openrouter: { acceptMembers: ['models', 'provider', 'transforms', 'preset'] },
  // Made up for the tests: DeepSeek R1 behind a server without a reasoning parser.
  tagged: { config: { thinkTags: true } },
  // Its streams end without a finish reason.
  snowflake: { config: { omitsFinishReason: true } },
};

/** On wires of OpenAI, every other vendor is an address of `openai-compatible`. */
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

/** Streams of Mistral have their usage unasked, and it refuses the member. */
export const editForVendor = (body: Json, line: CorpusLine): Json => {
  if (compatibleVendorOf(line)?.use !== 'mistral') return editForServer(body);
  const { stream_options: _options, ...rest } = body;
  return rest;
};
