import { defineSpelling, defineTextMembers } from '../../../../core/api/codec.ts';
import { routingMembers } from '../../routing-members.ts';

export const spelling = defineSpelling({
  model: true,
  prompt: true,
  suffix: true,
  echo: true,
  stream: true,
  stream_options: { include_usage: true },
  n: true,
  best_of: true,
  max_tokens: true,
  max_completion_tokens: true,
  route: true,
  ...routingMembers,
});

/** What the strings of requests are: https://platform.openai.com/docs/api-reference/completions/create */
export const textMembers = defineTextMembers({ models: 'word', fallbacks: 'word', route: 'word' });
