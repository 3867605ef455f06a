import { defineSpelling, defineTextMembers } from '../../../../core/api/codec.ts';
import { routingMembers } from '../../routing-members.ts';

export const spelling = defineSpelling({
  model: true,
  file: true,
  stream: true,
  response_format: true,
  ...routingMembers,
});

/** What the strings of requests are: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const textMembers = defineTextMembers({
  'file.filename': 'word',
  'file.type': 'word',
  'language': 'word',
  'response_format': 'word',
  'stream': 'word',
  'temperature': 'word',
  'models': 'word',
  'fallbacks': 'word',
});
