import { defineSpelling, defineTextMembers } from '../../../../core/api/codec.ts';
import { routingMembers } from '../../routing-members.ts';

export const spelling = defineSpelling({
  model: true,
  input: true,
  ...routingMembers,
});

/** What the strings of requests are: https://platform.openai.com/docs/api-reference/moderations/create */
export const textMembers = defineTextMembers({
  'models': 'word',
  'fallbacks': 'word',
  'image_url.url': 'bytes',
});
