import type { WireTraits } from '../../../core/api/codec.ts';

/** The wire that Ollama calls its native API. */
export const WIRE = 'ollama-chat';

export const traits: WireTraits = {
  fieldNames: { maxTokens: 'options.num_predict', output: 'format', reasoning: 'think', effort: 'think' },
};
