import { defineReferences } from '../../../../../core/api/codec.ts';

/** Members of requests that refer to something stored, at servers of both wires. */
export const storedMembers = {
  previous_response_id: true,
  conversation: true,
  tool_resources: true,
  thread: true,
  thread_id: true,
  assistant_id: true,
  batch_id: true,
  container: true,
  container_id: true,
  file_ids: true,
  vector_store_ids: true,
} as const;

/** Members that refer to something stored at a vendor: OpenAI's own, and those of other servers of this wire. */
export const references = defineReferences({
  ...storedMembers,
  'messages.content.file.file_id': true,
  'messages.content.image_file.file_id': true,
  'messages.content.file_id': true,
  'messages.audio.id': true,
  'messages.attachments.file_id': true,
  'tools.container': (value) => typeof value === 'string',
  'tools.vector_store_ids': true,
  'conversation_id': true,
  'prompt.id': true,
  'data_sources': true,
  'cached_content': true,
  'extra_body.cached_content': true,
  'extra_body.google.cached_content': true,
  'extra_body.previous_response_id': true,
});
