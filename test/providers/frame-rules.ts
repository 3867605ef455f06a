import type { WireName } from '../../core/api/index.ts';
import type { CheckFrames, CodecLawOptions } from '../../core/testing/index.ts';
import { checkMessagesFrames } from './anthropic/messages/frames.ts';
import { checkGenerateContentFrames } from './google/generate-content/frames.ts';
import { checkInteractionFrames } from './google/interactions/frames.ts';
import { checkChatFrames } from './openai/chat-completions/frames.ts';
import { checkCompletionFrames } from './openai/completions/frames.ts';
import { checkResponsesFrames } from './openai/responses/frames.ts';

const rules: Readonly<Record<string, CodecLawOptions & { readonly checkFrames: CheckFrames }>> = {
  'chat-completions': { checkFrames: checkChatFrames },
  'completions': { checkFrames: checkCompletionFrames, refuses: true },
  'messages': { checkFrames: checkMessagesFrames },
  'responses': { checkFrames: checkResponsesFrames, askForAll: { include: ['reasoning.encrypted_content'] } },
  'generate-content': { checkFrames: checkGenerateContentFrames },
  'interactions': {
    checkFrames: checkInteractionFrames,
    askForAll: { generation_config: { thinking_summaries: 'auto' } },
  },
};

/** What clients of a built-in wire require of its codec, beyond the laws for every codec. */
export const clientRulesOf = (wire: WireName): CodecLawOptions & { readonly checkFrames: CheckFrames } => {
  const found = rules[wire];
  if (found === undefined) throw new Error(`nothing is known of the clients of ${wire}`);
  return found;
};
