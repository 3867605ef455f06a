import type { WireName } from '../../core/api/index.ts';
import type { WireTraits } from '../../core/api/codec.ts';
import { traits as messages } from '../../providers/anthropic/messages/traits.ts';
import { traits as generateContent } from '../../providers/google/generate-content/traits.ts';
import { traits as interactions } from '../../providers/google/interactions/traits.ts';
import { traits as chatCompletions } from '../../providers/openai/chat-completions/traits.ts';
import { traits as responses } from '../../providers/openai/responses/traits.ts';

const shipped: Readonly<Record<string, WireTraits>> = {
  'messages': messages,
  'chat-completions': chatCompletions,
  'responses': responses,
  'generate-content': generateContent,
  'interactions': interactions,
};

/** The traits of a built-in wire; empty for a wire without a codec. */
export const traitsOf = (wire: WireName): WireTraits => shipped[wire] ?? {};
