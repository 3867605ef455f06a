import type { WireTraits } from '../../../core/index.ts';
import { places } from './places.ts';

/**
 * What holds on chat completions: https://platform.openai.com/docs/api-reference/chat/create. The common names of the
 * core are those of this wire.
 */
export const traits: WireTraits = {
  places,
  // Of the reasoning there is `reasoning_effort` alone.
  effortOnly: true,
  // https://platform.openai.com/docs/guides/structured-outputs
  schemaNeedsStrict: true,
  // https://platform.openai.com/docs/guides/structured-outputs#json-mode
  jsonNeedsWord: true,
};
