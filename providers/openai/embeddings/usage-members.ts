import { defineKnownMembers } from '../../../core/api/codec.ts';
import { reportedCosts } from '../chat-completions/usage-members.ts';

export const usageMembers = defineKnownMembers({
  prompt_tokens: true,
  prompt_tokens_details: { text_tokens: true, audio_tokens: true, image_tokens: true, video_tokens: true },
  completion_tokens: true,
  total_tokens: true,
  service_tier: true,
  prompt_audio_seconds: true,
  ...reportedCosts,
});
