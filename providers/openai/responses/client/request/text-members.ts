import { defineTextMembers } from '../../../../../core/api/codec.ts';
import { sharedTexts } from '../../../chat-completions/client/request/text-members.ts';

/**
 * What the strings of requests are:
 * https://platform.openai.com/docs/api-reference/responses/create
 */
export const textMembers = defineTextMembers({
  ...sharedTexts,
  'input.arguments': 'json',
  'file_url': 'link',
  'file_data': 'bytes',
  'input.result': 'bytes',
  'container_id': 'reference',
  'previous_response_id': 'reference',
  '.conversation': 'reference',
  'conversation.id': 'reference',
  'prompt.id': 'reference',
  'vector_store_ids': 'reference',
  'file_ids': 'reference',
  'call_id': 'word',
  'input.name': 'word',
  'tool_choice.name': 'word',
  'format.name': 'word',
  'namespace': 'word',
  'status': 'word',
  'phase': 'word',
  'truncation': 'word',
  'reasoning.summary': 'word',
  'size': 'word',
  'quality': 'word',
  'tools.background': 'word',
  'output_format': 'word',
  'moderation': 'word',
  'input_fidelity': 'word',
  'require_approval': 'word',
  'approval_request_id': 'word',
  'server_label': 'word',
  'connector_id': 'word',
  'execution': 'word',
});
