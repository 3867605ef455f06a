import { defineSpelling } from '../../../../core/api/codec.ts';
import { routingMembers } from '../../routing-members.ts';

export { textMembers } from '../../chat-completions/client/request/text-members.ts';

export const spelling = defineSpelling({
  model: true,
  messages: true,
  prompt: true,
  tools: true,
  functions: true,
  route: true,
  ...routingMembers,
});
