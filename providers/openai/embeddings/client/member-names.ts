import { defineSpelling, defineTextMembers } from '../../../../core/api/codec.ts';
import { routingMembers } from '../../routing-members.ts';

/**
 * What the strings of requests are:
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
export const textMembers = defineTextMembers({
  'encoding_format': 'word',
  'models': 'word',
  'fallbacks': 'word',
});

export const spelling = defineSpelling({
  model: true,
  input: true,
  dimensions: true,
  ...routingMembers,
});
