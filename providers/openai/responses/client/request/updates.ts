import { WIRE } from '../../shape.ts';
import type { ReadItem } from './item-reader.ts';
import { decodeText } from './output-format.ts';
import { decodeReasoning } from './reasoning.ts';

/**
 * A `configuration_update`: its settings are in effect until a later one changes them. Only those at the end of the
 * conversation matter, so it is no part of a turn; members that are not known stay where they are.
 * https://platform.openai.com/docs/guides/compaction
 */
export const readUpdate: ReadItem = (item, { conversation, updates }) => {
  const { reasoning, extra: otherReasoning } = decodeReasoning(item);
  const { extra: otherText, hasFormat, output, verbosity } = decodeText(item);
  const instructions = item.string('instructions') ?? '';
  const type = item.string('type');
  item.value('id');
  if (reasoning !== undefined) updates.reasoning = { ...updates.reasoning, ...reasoning };
  if (hasFormat) updates.output = output;
  if (verbosity !== undefined) updates.verbosity = verbosity;
  if (instructions !== '') conversation.addTurn({ role: 'system', parts: [{ type: 'text', text: instructions }] }, {});
  const others = { ...item.unread(), ...otherReasoning, ...otherText };
  if (Object.keys(others).length > 0) conversation.addAside({ type: 'opaque', wire: WIRE, value: { type, ...others } });
};
