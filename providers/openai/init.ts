import type { ProviderInit } from '../../core/api/index.ts';

const wires = ['chat-completions', 'completions', 'messages', 'generate-content', 'interactions', 'responses'] as const;

/** What `koine init` writes for OpenAI. */
export const openAiInit: ProviderInit = {
  env: ['OPENAI_API_KEY'],
  models: [
    { name: 'gpt-4.1', wires },
    { name: 'gpt-6.1-sol', role: 'strong', wires },
    { name: 'gpt-6-luna', role: 'fast', wires },
    ...['gpt-5-mini', 'gpt-5-codex', 'o3'].map((name) => ({ name, wires })),
    { name: 'text-embedding-3-small', wires: ['embeddings', 'embed-content'] },
    { name: 'omni-moderation-latest', wires: ['moderations'] },
  ],
};
