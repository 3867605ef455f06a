export interface Framework {
  readonly name: string;
  readonly language: 'TypeScript' | 'Python';
  /** The package that its version is of, as its registry has it. */
  readonly package: string;
  /** Its file in `programs/`. */
  readonly program: string;
  /** The wires over which it calls the gateway. */
  readonly wires: readonly string[];
  /** Models whose vendor refuses what the framework sends on the vendor's own wire, and the vendor's words. */
  readonly refusedAt?: Readonly<Record<string, string>>;
}

/** What pins their packages. */
export const pins = { TypeScript: 'frameworks/package.json', Python: 'frameworks.txt' } as const;

const every = ['chat-completions', 'responses', 'messages', 'generate-content'];
const openai = ['chat-completions', 'responses'];
const chat = ['chat-completions'];

/** Frameworks whose loops of tools run against vendors that refuse what their pages say. */
export const frameworks: readonly Framework[] = [
  { name: 'AI SDK', language: 'TypeScript', package: 'ai', program: 'ai-sdk.mjs', wires: [...every, 'interactions'] },
  { name: 'Mastra', language: 'TypeScript', package: '@mastra/core', program: 'mastra.mjs', wires: every },
  { name: 'LangChain', language: 'TypeScript', package: 'langchain', program: 'langchain.mjs', wires: every },
  {
    name: 'OpenAI Agents',
    language: 'TypeScript',
    package: '@openai/agents',
    program: 'openai-agents.mjs',
    wires: openai,
  },
  { name: 'LangChain', language: 'Python', package: 'langchain', program: 'langchain_agent.py', wires: every },
  { name: 'LlamaIndex', language: 'Python', package: 'llama-index-core', program: 'llama_index_agent.py', wires: chat },
  {
    name: 'Pydantic AI',
    language: 'Python',
    package: 'pydantic-ai-slim',
    program: 'pydantic_ai_agent.py',
    wires: every,
  },
  { name: 'OpenAI Agents', language: 'Python', package: 'openai-agents', program: 'openai_agents.py', wires: openai },
  {
    name: 'Semantic Kernel',
    language: 'Python',
    package: 'semantic-kernel',
    program: 'semantic_kernel_agent.py',
    wires: chat,
  },
  {
    name: 'smolagents',
    language: 'Python',
    package: 'smolagents',
    program: 'smolagents_agent.py',
    wires: chat,
    // It requires a call in each response.
    refusedAt: { 'deepseek/deepseek-v4-pro': 'thinking mode does not support this tool_choice' },
  },
  { name: 'DSPy', language: 'Python', package: 'dspy', program: 'dspy_agent.py', wires: chat },
];
