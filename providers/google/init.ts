import type { ProviderInit } from '../../core/api/index.ts';

/** What a first configuration has of Google. Google's own SDKs take the key from either variable. */
export const googleInit: ProviderInit = {
  env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  models: [
    // Gemini CLI requests the last three by itself: to choose a model, to work, and to compact. Its older versions
    // choose with gemini-2.5-flash-lite.
    { name: 'gemini-2.5-flash' },
    { name: 'gemini-3.8-flash', role: 'strong' },
    { name: 'gemini-2.5-pro' },
    { name: 'gemini-2.5-flash-lite' },
    { name: 'gemini-3.5-flash-lite', role: 'fast' },
    { name: 'gemini-3.1-pro-preview' },
    { name: 'gemini-3-flash-preview' },
    { name: 'gemini-embedding-001', wires: ['embeddings', 'embed-content'] },
  ],
};
