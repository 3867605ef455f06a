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
  otherNames: {
    'reasoning.effort': ['input.reasoning.effort'],
    user: ['safety_identifier'],
    prompt_cache_breakpoint: ['input.content.prompt_cache_breakpoint', 'input.output.prompt_cache_breakpoint'],
    cache: ['prompt_cache_breakpoint'],
    name: ['filename'],
    input: ['arguments'],
    content: ['output'],
    parts: ['output'],
    citations: ['annotations'],
    signature: ['encrypted_content'],
    namespace_description: ['description'],
    'parts.functionResponse.parts': ['output.image_url', 'output.file_data', 'output.file_url', 'output.file_id'],
  },
  // `reasoning` has an effort and no number of tokens.
  effortOnly: true,
  // https://platform.openai.com/docs/guides/structured-outputs
  schemaNeedsStrict: true,
  // https://platform.openai.com/docs/guides/structured-outputs#json-mode
  jsonNeedsWord: true,
  // `max_tool_calls`
  capsSearches: true,
  optIn: true,
};
