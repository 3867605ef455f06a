import type { Citation, EmitEvent } from '../../../../../core/index.ts';
import { readAnnotation, readAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';
import type { AnswerContext, ItemReader, Slot } from './item-reader.ts';
import { listContent, readContentText, slotKindOf } from './message.ts';
import { openPart, writeWhole, type OpenPart } from './open-part.ts';

interface OpenContent {
  readonly key: string;
  readonly part: OpenPart;
  readonly citations: Citation[];
}

const keyOf = ({ kind, index }: Slot): string => `${kind} ${index}`;

/** A message: one part for each of its contents, opened when something is said and closed when the next one begins. */
export function createMessageReader(context: AnswerContext): ItemReader {
  const begun = new Set<string>();
  let open: OpenContent | undefined;
  let refused = false;

  const close = (emit: EmitEvent, citations: readonly Citation[] = []) => {
    open?.part.end(emit, { citations: citations.length > 0 ? citations : open.citations });
    open = undefined;
  };
  const openContent = (slot: Slot, emit: EmitEvent): OpenContent => {
    const key = keyOf(slot);
    if (open?.key === key) return open;
    close(emit);
    begun.add(key);
    refused ||= slot.kind === 'refusal';
    open = {
      key,
      part: openPart(context.allocate(), { kind: slot.kind === 'refusal' ? 'refusal' : 'text' }, emit),
      citations: [],
    };
    return open;
  };
  const isOver = (slot: Slot): boolean => begun.has(keyOf(slot)) && open?.key !== keyOf(slot);

  const reader: ItemReader = {
    get holds() {
      return refused ? 'refusal' : undefined;
    },
    write: (slot, text, emit) => {
      if (text !== '') openContent(slot, emit).part.write(text, emit);
    },
    complete: (slot, whole, emit) => {
      if (whole !== '' && !isOver(slot)) openContent(slot, emit).part.complete(whole, emit);
    },
    annotate: (slot, annotation) => {
      if (open?.key === keyOf(slot)) open.citations.push(readAnnotation(annotation));
    },
    end: (item, emit) => {
      listContent(item['content']).forEach((content, index) => {
        const kind = slotKindOf(content);
        if (kind === undefined) {
          close(emit);
          writeWhole(
            context.allocate(),
            { kind: 'opaque', value: { type: 'opaque', wire: WIRE, value: content } },
            emit,
          );
          return;
        }
        const slot = { kind, index };
        reader.complete(slot, readContentText(content), emit);
        if (open?.key === keyOf(slot)) close(emit, readAnnotations(content['annotations']));
      });
      close(emit);
    },
  };
  return reader;
}
