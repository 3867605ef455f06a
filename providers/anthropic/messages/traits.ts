import type { WireTraits } from '../../../core/api/codec.ts';
import { places } from './places.ts';

/** https://platform.claude.com/docs/en/api/messages */
export const traits: WireTraits = {
  fieldNames: {
    parallelTools: 'tool_choice.disable_parallel_tool_use',
    output: 'output_config.format',
    stop: 'stop_sequences',
    effort: 'output_config.effort',
    budget: 'thinking.budget_tokens',
    show: 'thinking.display',
    reasoning: 'thinking',
    user: 'metadata.user_id',
    cache: 'cache_control',
  },
  places,
  omitsEmptyTurns: true,
  otherNames: {
    'output_config.effort': ['thinking'],
    'output_config.format': ['output_format'],
    cache_control: [
      'tools.cache_control',
      'system.cache_control',
      'messages.content.cache_control',
      'messages.content.content.cache_control',
    ],
    cache: ['cache_control'],
    failed: ['is_error'],
    name: ['title'],
    reasoning: ['content.thinking', 'content.data'],
    signature: ['content.signature'],
    parts: ['content'],
    'parts.functionResponse.parts': ['content.content.source'],
  },
  requiresMaxTokens: true,
  // `max_uses`
  capsSearches: true,
  // https://docs.claude.com/en/docs/build-with-claude/extended-thinking
  strictThinking: true,
  // https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
  requiresDeclaredTools: true,
  // https://docs.claude.com/en/docs/build-with-claude/prompt-caching
  cacheMarksOnTools: true,
};
