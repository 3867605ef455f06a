import type { ModelFamily } from '../../core/api/index.ts';

/**
 * What a model can do is decided by its template on the server, which refuses the rest by name. Only gpt-oss reads an
 * effort: https://docs.ollama.com/capabilities/thinking
 */
export const families: readonly ModelFamily[] = [
  { prefix: '', capabilities: { customTools: false } },
  {
    prefix: 'gpt-oss',
    capabilities: { customTools: false, efforts: ['low', 'medium', 'high'], thinkingOff: false, vision: false },
  },
];
