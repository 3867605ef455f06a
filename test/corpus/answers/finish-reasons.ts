import type { Answer, Reason } from './answer.ts';
import type { GenerationWire } from '../wires.ts';

/** How each wire names the finish reasons. A refusal without text is a filtered response on responses. */
const words: Readonly<Record<GenerationWire, Readonly<Record<Exclude<Reason, 'error'>, string>>>> = {
  'chat-completions': {
    stop: 'stop',
    stop_sequence: 'stop',
    length: 'length',
    tool_calls: 'tool_calls',
    content_filter: 'content_filter',
    refusal: 'content_filter',
    pause: 'stop',
    context_overflow: 'length',
  },
  'messages': {
    stop: 'end_turn',
    stop_sequence: 'stop_sequence',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    content_filter: 'refusal',
    refusal: 'refusal',
    pause: 'pause_turn',
    context_overflow: 'model_context_window_exceeded',
  },
  'responses': {
    stop: 'completed',
    stop_sequence: 'completed',
    length: 'incomplete:max_output_tokens',
    tool_calls: 'completed',
    content_filter: 'incomplete:content_filter',
    refusal: 'completed',
    pause: 'completed',
    context_overflow: 'incomplete:max_output_tokens',
  },
  'generate-content': {
    stop: 'STOP',
    stop_sequence: 'STOP',
    length: 'MAX_TOKENS',
    tool_calls: 'STOP',
    content_filter: 'SAFETY',
    refusal: 'SAFETY',
    pause: 'STOP',
    context_overflow: 'MAX_TOKENS',
  },
  'interactions': {
    stop: 'completed',
    stop_sequence: 'completed',
    length: 'incomplete',
    tool_calls: 'requires_action',
    content_filter: 'incomplete',
    refusal: 'incomplete',
    pause: 'completed',
    context_overflow: 'incomplete',
  },
};

/** The finish reason that this wire must have for a recorded response; undefined where it failed. */
export const finishReasonOf = (wire: GenerationWire, { reason, refusal, finish }: Answer): string | undefined => {
  if (reason === 'error') return undefined;
  // Both wires have these for what the vendor still works on.
  if (wire === 'interactions' && (finish === 'queued' || finish === 'in_progress')) return finish;
  if (wire === 'responses' && reason === 'refusal' && refusal === '') return 'incomplete:content_filter';
  return words[wire][reason];
};
