import type { WireTraits } from '../../../core/api/codec.ts';
import { places } from './places.ts';

/**
 * Properties of the wire: https://platform.openai.com/docs/api-reference/chat/create. The default field names of the
 * core are those of this wire.
 */
export const traits: WireTraits = {
  places,
  // Reasoning has only `reasoning_effort`.
  effortOnly: true,
  // https://platform.openai.com/docs/guides/structured-outputs
  schemaNeedsStrict: true,
  // https://platform.openai.com/docs/guides/structured-outputs#json-mode
  jsonNeedsWord: true,
};
