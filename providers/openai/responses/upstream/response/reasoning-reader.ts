import { readText } from '../../../../../core/index.ts';
import { readReasoningText, BREAK } from '../../reasoning-text.ts';

import type { AnswerContext, ItemReader, Slot } from './item-reader.ts';
import { openPart, type OpenPart } from './open-part.ts';

/** Summaries of one item are one part, with a break between them. Where a vendor streams the reasoning beside its summary, the first to come is read. */
export function createReasoningReader(context: AnswerContext): ItemReader {
  let part: OpenPart | undefined;
  let current: Slot | undefined;
  let said = '';

  const isNext = ({ kind, index }: Slot): boolean =>
    current === undefined || (kind === current.kind && index >= current.index);
  const reader: ItemReader = {
    holds: undefined,
    write: (slot, text, emit) => {
      if (text === '' || !isNext(slot)) return;
      const moved = current !== undefined && slot.index !== current.index;
      if (moved) said = '';
      part ??= openPart(context.allocate(), { kind: 'reasoning' }, emit);
      part.write(moved ? BREAK + text : text, emit);
      current = slot;
      said += text;
    },
    complete: (slot, whole, emit) => {
      const known = current?.index === slot.index ? said : '';
      if (whole.startsWith(known)) reader.write(slot, whole.slice(known.length), emit);
    },
    end: (item, emit) => {
      const blob = readText(item['encrypted_content']);
      const text = readReasoningText(item);
      if (part === undefined && text === '' && blob === '') return;
      part ??= openPart(context.allocate(), { kind: 'reasoning' }, emit);
      part.complete(text, emit);
      part.end(emit, blob === '' ? {} : { proof: { origin: context.origin, value: blob } });
    },
  };
  return reader;
}
