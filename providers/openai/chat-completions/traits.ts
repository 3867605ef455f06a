import type { WireTraits } from '../../../core/api/codec.ts';
import { places } from './places.ts';

/**
 * Properties of the wire: https://platform.openai.com/docs/api-reference/chat/create. The default field names of the
 * core are those of this wire.
 */
export const traits: WireTraits = {
  places,
  otherNames: {
    max_tokens: ['max_completion_tokens'],
    reasoning_effort: ['reasoning.effort', 'reasoning.enabled'],
    user: ['safety_identifier'],
    tools: ['functions'],
    tool_choice: ['function_call'],
    prompt_cache_breakpoint: [
      'messages.content.prompt_cache_breakpoint',
      'messages.content.cache_control',
      'messages.cache_control',
      'tools.cache_control',
    ],
    cache: ['prompt_cache_breakpoint', 'cache_control'],
    'function.cache': ['cache_control'],
    name: ['file.filename'],
    detail: ['image_url.detail'],
    input: ['function.arguments', 'custom.input', 'arguments'],
    signature: ['extra_content.google.thought_signature', 'signature'],
    citations: ['annotations'],
  },
  // Reasoning has only `reasoning_effort`.
  effortOnly: true,
  // https://platform.openai.com/docs/guides/structured-outputs
  schemaNeedsStrict: true,
  // https://platform.openai.com/docs/guides/structured-outputs#json-mode
  jsonNeedsWord: true,
};
