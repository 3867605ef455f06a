import { type JsonObject, lookUp, readText } from '../../../../../core/index.ts';

import type { Slot } from './item-reader.ts';

interface Piece {
  readonly kind: Slot['kind'];
  /** The member that holds the text. */
  readonly member: string;
  /** The member that numbers it within its item. */
  readonly at?: 'content_index' | 'summary_index';
  /** The text is all of it, said before in deltas. */
  readonly whole?: true;
}

const content = 'content_index';
const summary = 'summary_index';

/** Events that carry text: https://platform.openai.com/docs/api-reference/responses-streaming */
const pieces: Readonly<Record<string, Piece>> = {
  'response.output_text.delta': { kind: 'text', member: 'delta', at: content },
  'response.output_text.done': { kind: 'text', member: 'text', at: content, whole: true },
  'response.refusal.delta': { kind: 'refusal', member: 'delta', at: content },
  'response.refusal.done': { kind: 'refusal', member: 'refusal', at: content, whole: true },
  'response.reasoning_summary_text.delta': { kind: 'summary', member: 'delta', at: summary },
  'response.reasoning_summary_text.done': { kind: 'summary', member: 'text', at: summary, whole: true },
  'response.reasoning_text.delta': { kind: 'reasoning', member: 'delta', at: content },
  'response.reasoning_text.done': { kind: 'reasoning', member: 'text', at: content, whole: true },
  'response.function_call_arguments.delta': { kind: 'input', member: 'delta' },
  'response.function_call_arguments.done': { kind: 'input', member: 'arguments', whole: true },
  'response.custom_tool_call_input.delta': { kind: 'input', member: 'delta' },
  'response.custom_tool_call_input.done': { kind: 'input', member: 'input', whole: true },
};

/** Some text of an item as an event brings it. */
export interface TextEvent {
  readonly slot: Slot;
  readonly text: string;
  readonly whole: boolean;
}

/** `undefined` for events of any other kind. */
export function readTextEvent(type: string, event: Readonly<JsonObject>): TextEvent | undefined {
  const piece = lookUp(pieces, type);
  if (piece === undefined) return undefined;
  const index = piece.at === undefined ? undefined : event[piece.at];
  return {
    slot: { kind: piece.kind, index: typeof index === 'number' ? index : 0 },
    text: readText(event[piece.member]),
    whole: piece.whole === true,
  };
}
