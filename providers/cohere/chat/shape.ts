import { schemaDialects, type WireTraits } from '../../../core/api/codec.ts';

/** The wire of the API v2: https://docs.cohere.com/reference/chat */
export const WIRE = 'cohere-chat';

export const traits: WireTraits = {
  fieldNames: {
    topP: 'p',
    topK: 'k',
    stop: 'stop_sequences',
    output: 'response_format',
    reasoning: 'thinking',
    budget: 'thinking.token_budget',
  },
  // Without the word, the model can write white space without an end.
  jsonNeedsWord: true,
  omitsEmptyTurns: true,
  schemas: schemaDialects.cohere,
};
