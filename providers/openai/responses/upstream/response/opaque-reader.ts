import { WIRE } from '../../shape.ts';
import type { AnswerContext, ItemReader } from './item-reader.ts';
import { writeWhole } from './open-part.ts';

/** An item that only this wire knows, such as a search that ran at the vendor: it is shown when it is finished, as a whole. */
export const createOpaqueReader = (context: AnswerContext): ItemReader => ({
  holds: undefined,
  write: () => {},
  complete: () => {},
  end: (item, emit) =>
    writeWhole(context.allocate(), { kind: 'opaque', value: { type: 'opaque', wire: WIRE, value: item } }, emit),
});
