import type { JsonObject } from '../../../../../core/api/index.ts';
import { lookUp, readText } from '../../../../../core/api/codec.ts';
import type { Slot } from './item-reader.ts';

interface TextEventType {
  readonly kind: Slot['kind'];
  /** The member that holds the text. */
  readonly member: string;
  /** The member that holds the index of the slot. */
  readonly index?: 'content_index' | 'summary_index';
  /** The event repeats the whole text after its deltas. */
  readonly whole?: true;
}

const content = 'content_index';
const summary = 'summary_index';

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const types: Readonly<Record<string, TextEventType>> = {
  'response.output_text.delta': { kind: 'text', member: 'delta', index: content },
  'response.output_text.done': { kind: 'text', member: 'text', index: content, whole: true },
  'response.refusal.delta': { kind: 'refusal', member: 'delta', index: content },
  'response.refusal.done': { kind: 'refusal', member: 'refusal', index: content, whole: true },
  'response.reasoning_summary_text.delta': { kind: 'summary', member: 'delta', index: summary },
  'response.reasoning_summary_text.done': { kind: 'summary', member: 'text', index: summary, whole: true },
  'response.reasoning_text.delta': { kind: 'reasoning', member: 'delta', index: content },
  'response.reasoning_text.done': { kind: 'reasoning', member: 'text', index: content, whole: true },
  'response.function_call_arguments.delta': { kind: 'input', member: 'delta' },
  'response.function_call_arguments.done': { kind: 'input', member: 'arguments', whole: true },
  'response.custom_tool_call_input.delta': { kind: 'input', member: 'delta' },
  'response.custom_tool_call_input.done': { kind: 'input', member: 'input', whole: true },
};

/** Text of an item, as an event brings it. */
export interface TextEvent {
  readonly slot: Slot;
  readonly text: string;
  /** A `done` event: all of the text, which deltas brought before. */
  readonly whole: boolean;
}

/** `undefined` for an event without text. */
export function readTextEvent(type: string, event: Readonly<JsonObject>): TextEvent | undefined {
  const known = lookUp(types, type);
  if (known === undefined) return undefined;
  const index = known.index === undefined ? undefined : event[known.index];
  return {
    slot: { kind: known.kind, index: typeof index === 'number' ? index : 0 },
    text: readText(event[known.member]),
    whole: known.whole === true,
  };
}
