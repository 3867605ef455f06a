import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  type EmitEvent,
  isObject,
  omitUndefined,
  type Proof,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { deriveCallId } from '../../shape.ts';
import { PartialArgs } from './partial-args.ts';

/** A call whose arguments arrive in pieces. */
interface OpenCall {
  readonly part: number;
  readonly args: PartialArgs;
  proof: Proof | undefined;
}

interface CallOptions {
  /** The handle of the choice. */
  readonly choice: number;
  /** Index of the turn among all turns of the conversation. */
  readonly turn: number;
  /** Returns the handle of a new part. */
  readonly allocate: () => number;
  /** Counts what is buffered. */
  readonly keep: (chars: number) => void;
}

/**
 * The calls of one candidate. A call is whole in one part; on Vertex AI, where the client requests it, it arrives
 * argument by argument until a part without `willContinue`.
 */
export class CallReader {
  readonly #options: CallOptions;
  #open: OpenCall | undefined;
  #count = 0;

  constructor(options: CallOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  read(call: JsonObject, proof: Proof | undefined, emit: EmitEvent): void {
    const continues = this.#open !== undefined && readText(call['name']) === '' && !isObject(call['args']);
    if (!continues) this.close(emit);
    const open = (this.#open ??= this.#start(call, emit));
    open.proof ??= proof;
    open.args.add(call['partialArgs']);
    if (call['willContinue'] !== true) this.close(emit);
  }

  /** Ends the call that is still open, if any. */
  close(emit: EmitEvent): void {
    if (this.#open === undefined) return;
    const { choice } = this.#options;
    const { part, args, proof } = this.#open;
    this.#open = undefined;
    emit({ type: 'part-delta', choice, part, text: JSON.stringify(args.value) });
    emit(omitUndefined({ type: 'part-end', choice, part, proof }));
  }

  #start(call: JsonObject, emit: EmitEvent): OpenCall {
    const { choice, turn, allocate, keep } = this.#options;
    const part = allocate();
    const id = readText(call['id']) || deriveCallId(turn, this.#count, choice);
    this.#count += 1;
    const head = { id, name: readText(call['name']), kind: 'function' } as const;
    emit({ type: 'part-start', choice, part, kind: 'tool-call', call: head });
    return { part, args: new PartialArgs(readObject(call['args']), keep), proof: undefined };
  }
}
