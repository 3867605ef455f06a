import { defineTextMembers } from '../../../../core/api/codec.ts';

/**
 * What the strings of requests are:
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
export const textMembers = defineTextMembers({
  'encoding_format': 'word',
  'models': 'word',
  'fallbacks': 'word',
});
