import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  type ChoiceWriter,
  isObject,
  type PartWriter,
  type Proof,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { deriveCallId } from '../../shape.ts';
import { PartialArgs } from './partial-args.ts';

/** A call whose arguments arrive in pieces. */
interface OpenCall {
  readonly part: PartWriter;
  readonly args: PartialArgs;
}

interface CallOptions {
  readonly answer: ChoiceWriter;
  /** The number of the choice. */
  readonly choice: number;
  /** Index of the turn among all turns of the conversation. */
  readonly turn: number;
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

  constructor(options: CallOptions) {
    this.#options = options;
  }

  read(call: JsonObject, proof: Proof | undefined): void {
    const continues = this.#open !== undefined && readText(call['name']) === '' && !isObject(call['args']);
    if (!continues) this.close();
    const { part, args } = (this.#open ??= this.#start(call));
    part.proof ??= proof;
    args.add(call['partialArgs']);
    if (call['willContinue'] !== true) this.close();
  }

  /** Ends the call that is still open, if any. */
  close(): void {
    if (this.#open === undefined) return;
    const { part, args } = this.#open;
    this.#open = undefined;
    part.write(JSON.stringify(args.value));
    part.end();
  }

  #start(call: JsonObject): OpenCall {
    const { answer, choice, turn, keep } = this.#options;
    const id = readText(call['id']) || deriveCallId(turn, answer.calls, choice);
    const part = answer.call({ id, name: readText(call['name']), kind: 'function' });
    return { part, args: new PartialArgs(readObject(call['args']), keep) };
  }
}
