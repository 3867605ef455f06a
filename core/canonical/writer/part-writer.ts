import { BUFFERED_ENTRY_COST, weighLogprobs } from '../buffer-limit.ts';
import type { CallHead } from '../event.ts';
import { hasNoArguments } from '../json/no-arguments.ts';
import type { Citation, TokenLogprob } from '../part.ts';
import type { Proof } from '../proof.ts';
import type { EventOutput } from './event-output.ts';

/** The kinds of parts whose text comes in pieces. */
export type WrittenKind = 'text' | 'reasoning' | 'refusal' | 'tool-call';

/** The number of a part and of its choice. */
export interface PartNumber {
  readonly choice: number;
  readonly part: number;
}

/**
 * Writes one part of a stream: its text, or the arguments of a call. A surrogate pair that the vendor has cut in two is
 * joined: its first half waits for the second, because alone it is a broken character. What follows the end of the part
 * is ignored.
 */
export class PartWriter {
  readonly kind: WrittenKind;
  /** The number of the part in its choice. */
  readonly number: number;
  /** Sent with the end of the part. */
  proof: Proof | undefined;
  readonly #output: EventOutput;
  readonly #choice: number;
  #call: CallHead | undefined;
  #citations: Citation[] | undefined;
  /** Tokens that no delta has brought yet. */
  #logprobs: TokenLogprob[] | undefined;
  /** Arguments that came before the name of the call; undefined: the part has started. */
  #waiting: string | undefined = '';
  /** The beginning of arguments that may be `null`, which is not written: it means none. */
  #maybeNull = '';
  /** The first half of a surrogate pair. */
  #half = '';
  #empty = true;
  #ended: boolean;

  /** @param ended the choice has ended, so nothing of the part is written */
  constructor(output: EventOutput, { choice, part }: PartNumber, kind: WrittenKind, ended: boolean, call?: CallHead) {
    this.#output = output;
    this.#choice = choice;
    this.number = part;
    this.kind = kind;
    this.#call = call;
    this.#ended = ended;
    output.keep(BUFFERED_ENTRY_COST);
    if (call === undefined || call.name !== '') this.#start();
  }

  /** Nothing has been written. */
  get isEmpty(): boolean {
    return this.#empty;
  }

  get hasCitations(): boolean {
    return this.#citations !== undefined;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The id and the name of a call that were not known when it was opened. An empty text changes nothing. */
  identify(id: string, name: string): void {
    const call = this.#call;
    if (this.#waiting === undefined || call === undefined) return;
    this.#call = { ...call, id: id || call.id, name: name || call.name };
    if (this.#call.name !== '') this.#start();
  }

  /** Adds text, or a piece of the arguments. An empty text writes nothing. */
  write(text: string): void {
    if (text === '' || this.#ended) return;
    if (this.#empty && this.#call?.kind === 'function') {
      this.#writeFirst(this.#maybeNull + text);
      return;
    }
    this.#add(text);
  }

  /** Arguments so far. They wait while they can become `null`. */
  #writeFirst(text: string): void {
    const waits = 'null'.startsWith(text);
    this.#maybeNull = waits ? text : '';
    if (!waits) this.#add(text);
  }

  #add(text: string): void {
    this.#empty = false;
    if (this.#waiting === undefined) this.#emitWhole(text);
    else {
      this.#output.keep(text.length);
      this.#waiting += text;
    }
  }

  /** Adds tokens of a text, which are sent with its next delta: they come before the text that they belong to. */
  addLogprobs(tokens: readonly TokenLogprob[]): void {
    if (tokens.length === 0 || this.#ended) return;
    if (this.#logprobs !== undefined) this.#output.keep(weighLogprobs(tokens));
    this.#logprobs ??= [];
    for (const token of tokens) this.#logprobs.push(token);
  }

  /** Adds citations, which are sent with the end of the part. */
  cite(citations: readonly Citation[]): void {
    if (citations.length === 0) return;
    this.#output.keep(citations.length * BUFFERED_ENTRY_COST);
    this.#citations ??= [];
    this.#citations.push(...citations);
  }

  /** Ends the part. A call of a function without arguments, or with `null`, gets `{}`. */
  end(): void {
    if (this.#ended) return;
    if (this.#waiting !== undefined) this.#start();
    if (this.#empty && this.#call?.kind === 'function')
      this.#add(hasNoArguments(this.#maybeNull) ? '{}' : this.#maybeNull);
    if (this.#half !== '' || this.#logprobs !== undefined) this.#emit(this.#half);
    this.#ended = true;
    this.#output.put({
      type: 'part-end',
      choice: this.#choice,
      part: this.number,
      ...(this.proof === undefined ? {} : { proof: this.proof }),
      ...(this.#citations === undefined ? {} : { citations: this.#citations }),
    });
  }

  #start(): void {
    const waiting = this.#waiting ?? '';
    this.#waiting = undefined;
    if (this.#ended) return;
    const [choice, part, kind, call] = [this.#choice, this.number, this.kind, this.#call];
    this.#output.put({ type: 'part-start', choice, part, kind, ...(call === undefined ? {} : { call }) });
    if (waiting !== '') this.#emitWhole(waiting);
  }

  /** Emits a text without the first half of a pair at its end. */
  #emitWhole(text: string): void {
    const whole = this.#half === '' ? text : this.#half + text;
    const last = whole.charCodeAt(whole.length - 1);
    if (last < 0xd800 || last > 0xdbff) {
      this.#half = '';
      this.#emit(whole);
      return;
    }
    this.#half = whole.slice(-1);
    if (whole.length > 1) this.#emit(whole.slice(0, -1));
  }

  #emit(text: string): void {
    const logprobs = this.#logprobs;
    const delta = { type: 'part-delta', choice: this.#choice, part: this.number, text } as const;
    this.#logprobs = undefined;
    this.#output.put(logprobs === undefined ? delta : { ...delta, logprobs });
  }
}
