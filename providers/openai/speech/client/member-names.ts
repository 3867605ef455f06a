import { defineSpelling, defineTextMembers } from '../../../../core/api/codec.ts';
import { routingMembers } from '../../routing-members.ts';

export const spelling = defineSpelling({
  model: true,
  input: true,
  response_format: true,
  stream_format: true,
  ...routingMembers,
});

/** What the strings of requests are: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const textMembers = defineTextMembers({
  'voice': 'word',
  'voice.id': 'word',
  'response_format': 'word',
  'stream_format': 'word',
  'models': 'word',
  'fallbacks': 'word',
});
