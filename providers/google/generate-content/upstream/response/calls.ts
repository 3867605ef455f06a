import {
  type EmitEvent,
  isObject,
  type JsonObject,
  omitUndefined,
  type Proof,
  type ReadContext,
  readObject,
  readText,
} from '../../../../../core/index.ts';
import { deriveCallId } from '../../shape.ts';
import { createPartialArgs, type PartialArgs } from './partial-args.ts';

/** A call whose arguments come in pieces. */
interface OpenCall {
  readonly part: number;
  readonly args: PartialArgs;
  proof: Proof | undefined;
}

export interface CallReader {
  read(call: JsonObject, proof: Proof | undefined, emit: EmitEvent): void;
  /** Ends a call that was left open. */
  close(emit: EmitEvent): void;
  readonly count: number;
}

/** Calls come whole in one part, or, on Vertex AI where the client asked for it, argument by argument until a part without `willContinue`. */
export function createCallReader(
  choice: number,
  { origin: _origin, turn }: ReadContext,
  allocate: () => number,
  keep: (chars: number) => void,
): CallReader {
  let count = 0;
  let open: OpenCall | undefined;

  const close = (emit: EmitEvent): void => {
    if (open === undefined) return;
    const { part, args, proof } = open;
    open = undefined;
    emit({ type: 'part-delta', choice, part, text: JSON.stringify(args.value) });
    emit(omitUndefined({ type: 'part-end', choice, part, proof }));
  };
  const begin = (call: JsonObject, proof: Proof | undefined, emit: EmitEvent): OpenCall => {
    const part = allocate();
    const id = readText(call['id']) || deriveCallId(turn, count, choice);
    count += 1;
    emit({
      type: 'part-start',
      choice,
      part,
      kind: 'tool-call',
      call: { id, name: readText(call['name']), kind: 'function' },
    });
    return { part, args: createPartialArgs(readObject(call['args']), keep), proof };
  };

  return {
    get count() {
      return count;
    },
    close,
    read: (call, proof, emit) => {
      const goesOn = open !== undefined && readText(call['name']) === '' && !isObject(call['args']);
      if (!goesOn) {
        close(emit);
        open = begin(call, proof, emit);
      }
      if (open === undefined) return;
      open.proof ??= proof;
      open.args.add(call['partialArgs']);
      if (call['willContinue'] !== true) close(emit);
    },
  };
}
