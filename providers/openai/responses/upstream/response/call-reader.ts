import type { EmitEvent, JsonObject } from '../../../../../core/index.ts';
import { deriveCallId, readCallHead, readCallInput } from './calls.ts';
import type { AnswerContext, ItemReader } from './item-reader.ts';
import { openPart, type OpenPart } from './open-part.ts';

/** A call. It begins for the world when its name is known; input that came before waits. */
export function createCallReader(context: AnswerContext, added: Readonly<JsonObject>, emit: EmitEvent): ItemReader {
  const order = context.countCall();
  const { kind } = readCallHead(added);
  let part: OpenPart | undefined;
  let waiting = '';

  const begin = (item: Readonly<JsonObject>, to: EmitEvent): OpenPart => {
    if (part !== undefined) return part;
    const { id, name } = readCallHead(item);
    part = openPart(
      context.allocate(),
      { kind: 'tool-call', call: { id: id || deriveCallId(context.turn, order), name, kind } },
      to,
    );
    if (waiting !== '') part.write(waiting, to);
    return part;
  };
  if (readCallHead(added).name !== '') begin(added, emit);

  return {
    holds: 'call',
    write: (_slot, text, to) => {
      if (part === undefined) waiting += text;
      else if (text !== '') part.write(text, to);
    },
    complete: (_slot, whole, to) => {
      if (part === undefined) waiting = whole.startsWith(waiting) ? whole : waiting;
      else part.complete(whole, to);
    },
    end: (item, to) => {
      const open = begin(item, to);
      open.complete(readCallInput(item), to);
      if (open.empty && kind === 'function') open.write('{}', to);
      open.end(to);
    },
  };
}
