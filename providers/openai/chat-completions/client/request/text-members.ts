import { defineTextMembers } from '../../../../../core/api/codec.ts';

/** What strings are in the requests of both wires. */
export const sharedTexts = {
  '.metadata': 'data',
  'image_url': 'link',
  'input_audio.data': 'bytes',
  'file_id': 'reference',
  'encrypted_content': 'encrypted',
  'tools.name': 'word',
  'tool_choice': 'word',
  'effort': 'word',
  'verbosity': 'word',
  'service_tier': 'word',
  'detail': 'word',
  'search_context_size': 'word',
  'syntax': 'word',
  'mode': 'word',
  'include': 'word',
  'models': 'word',
  'fallbacks': 'word',
  'route': 'word',
  'prompt_cache_retention': 'word',
} as const;

/**
 * What the strings of requests are:
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const textMembers = defineTextMembers({
  ...sharedTexts,
  'function.arguments': 'json',
  'function_call.arguments': 'json',
  'image_url.url': 'link',
  'video_url.url': 'link',
  'audio_url.url': 'link',
  'file.file_data': 'bytes',
  'signature': 'encrypted',
  'thought_signature': 'encrypted',
  'reasoning_details.data': 'encrypted',
  'thinking_blocks.data': 'encrypted',
  'tool_call_id': 'word',
  'function.name': 'word',
  'functions.name': 'word',
  'function_call.name': 'word',
  'custom.name': 'word',
  'json_schema.name': 'word',
  'function_call': 'word',
  'reasoning_effort': 'word',
  'modalities': 'word',
  'voice': 'word',
  'ttl': 'word',
});
