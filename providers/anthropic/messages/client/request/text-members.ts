import { defineTextMembers } from '../../../../../core/api/codec.ts';

/**
 * What the strings of requests are. A `thinking` is signed: the vendor refuses a changed one.
 * https://platform.claude.com/docs/en/api/messages
 */
export const textMembers = defineTextMembers({
  '.metadata': 'data',
  'content.input': 'data',
  'tools.input_examples': 'data',
  'content.thinking': 'signed',
  'source.url': 'link',
  'source.data': 'bytes',
  'file_id': 'reference',
  '.container': 'reference',
  'container.id': 'reference',
  '.thread': 'reference',
  'signature': 'encrypted',
  'content.data': 'encrypted',
  'encrypted_content': 'encrypted',
  'encrypted_index': 'encrypted',
  'encrypted_stdout': 'encrypted',
  'tool_use_id': 'word',
  'content.name': 'word',
  'tools.name': 'word',
  'tool_choice.name': 'word',
  'tool_name': 'word',
  'media_type': 'word',
  'ttl': 'word',
  'effort': 'word',
  'display': 'word',
  'service_tier': 'word',
  'speed': 'word',
  'inference_geo': 'word',
  'allowed_tools': 'word',
  'allowed_callers': 'word',
  'server_name': 'word',
  'mcp_server_name': 'word',
  'status': 'word',
  'fallbacks': 'word',
});
