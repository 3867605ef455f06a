import type { ProviderInit } from '../../core/api/index.ts';

/** What a first configuration has of Google. Google's own SDKs take the key from either variable. */
export const googleInit: ProviderInit = {
  env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  models: [
    ...['gemini-2.5-flash', 'gemini-3.8-flash', 'gemini-2.5-pro'].map((name) => ({ name })),
    { name: 'gemini-embedding-001', wires: ['embeddings', 'embed-content'] },
  ],
};
