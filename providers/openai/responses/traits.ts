import type { WireTraits } from '../../../core/api/codec.ts';
import { places } from './places.ts';

/** Properties of the wire: https://platform.openai.com/docs/api-reference/responses/create */
export const traits: WireTraits = {
  fieldNames: {
    conversation: 'input',
    output: 'text.format',
    maxTokens: 'max_output_tokens',
    effort: 'reasoning.effort',
    budget: 'reasoning',
    show: 'reasoning.summary',
    verbosity: 'text.verbosity',
  },
  places,
  // `reasoning` has an effort and no number of tokens.
  effortOnly: true,
  // https://platform.openai.com/docs/guides/structured-outputs
  schemaNeedsStrict: true,
  // https://platform.openai.com/docs/guides/structured-outputs#json-mode
  jsonNeedsWord: true,
  optIn: true,
};
