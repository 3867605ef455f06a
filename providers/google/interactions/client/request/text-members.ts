import { defineTextMembers } from '../../../../../core/api/codec.ts';

/** What the strings of requests are: https://ai.google.dev/api/interactions-api */
export const textMembers = defineTextMembers({
  '.labels': 'data',
  'arguments': 'data',
  'data': 'bytes',
  'uri': 'link',
  'url': 'link',
  'signature': 'encrypted',
  'previous_interaction_id': 'reference',
  'continuation_token': 'reference',
  'cached_content': 'reference',
  'tools.name': 'word',
  'allowed_tools.tools': 'word',
  'mime_type': 'word',
  'response_mime_type': 'word',
  'response_modalities': 'word',
  'resolution': 'word',
  'thinking_level': 'word',
  'thinking_summaries': 'word',
  'tool_choice': 'word',
  'service_tier': 'word',
  'search_types': 'word',
  'language': 'word',
  'voice': 'word',
});
