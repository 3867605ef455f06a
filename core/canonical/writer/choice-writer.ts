import { BUFFERED_ENTRY_COST, weighLogprobs } from '../buffer-limit.ts';
import type { CallHead, PartStart } from '../event.ts';
import type { Finish } from '../finish.ts';
import type { Media, OpaquePart, TokenLogprob } from '../part.ts';
import type { Proof } from '../proof.ts';
import type { EventOutput } from './event-output.ts';
import { PartWriter, type WrittenKind } from './part-writer.ts';

/**
 * Writes the parts of one choice. `text`, `reasoning` and `refusal` write one part after the other: another kind, or
 * another key, ends the part that was written to. Calls, and parts of `open`, stay open beside it until they are ended,
 * at the latest by `finish`.
 */
export class ChoiceWriter {
  readonly #output: EventOutput;
  readonly #choice: number;
  /** The part that is continued by text of the same kind and key. */
  #current: PartWriter | undefined;
  #key = '';
  readonly #beside: PartWriter[] = [];
  /** Tokens of a text that has not begun. */
  #waiting: TokenLogprob[] | undefined;
  #count = 0;
  #calls = 0;
  #finished = false;

  constructor(output: EventOutput, choice: number) {
    this.#output = output;
    this.#choice = choice;
  }

  /** Parts so far. */
  get count(): number {
    return this.#count;
  }

  /** Calls so far. */
  get calls(): number {
    return this.#calls;
  }

  /** `finish` has been called. What comes after it is ignored. */
  get finished(): boolean {
    return this.#finished;
  }

  /** The part that text of its kind continues, if one is open. */
  get current(): PartWriter | undefined {
    return this.#current;
  }

  /** @param key text with another key is another part: the number of a block, if the vendor numbers them */
  text(text: string, key = ''): void {
    if (text !== '') this.continue('text', key).write(text);
  }

  /** Adds tokens of the text that follows, or of the open one if none does. */
  logprobs(tokens: readonly TokenLogprob[]): void {
    if (this.#current?.kind === 'text') return this.#current.addLogprobs(tokens);
    if (tokens.length === 0 || this.#finished) return undefined;
    this.#output.keep(weighLogprobs(tokens));
    this.#waiting ??= [];
    for (const token of tokens) this.#waiting.push(token);
    return undefined;
  }

  reasoning(text: string, key = ''): void {
    if (text !== '') this.continue('reasoning', key).write(text);
  }

  refusal(text: string): void {
    if (text !== '') this.continue('refusal').write(text);
  }

  /** The open part of this kind and key. Any other that is written to is ended, and this one opened. */
  continue(kind: Exclude<WrittenKind, 'tool-call'>, key = ''): PartWriter {
    const current = this.#current;
    if (current?.kind === kind && this.#key === key) return current;
    this.close();
    const opened = this.#create(kind);
    this.#current = opened;
    this.#key = key;
    if (kind === 'text' && this.#waiting !== undefined) {
      opened.addLogprobs(this.#waiting);
      this.#waiting = undefined;
    }
    return opened;
  }

  /** Ends the part that is written to by `text`, `reasoning` and `refusal`. */
  close(): void {
    this.#current?.end();
    this.#current = undefined;
  }

  /** Opens a part beside those that are open, for vendors whose blocks have numbers. */
  open(kind: Exclude<WrittenKind, 'tool-call'>): PartWriter {
    const opened = this.#create(kind);
    this.#beside.push(opened);
    return opened;
  }

  /**
   * Opens a call. Its part starts when its name is known (`identify` of the part): arguments that come earlier wait.
   * @param head an id that the vendor did not send has to be derived, the same each time the same response is read
   */
  call(head: CallHead): PartWriter {
    this.close();
    this.#calls += 1;
    const opened = this.#create('tool-call', head);
    this.#beside.push(opened);
    return opened;
  }

  /** Reasoning that the vendor shows only as a proof. */
  redacted(proof: Proof | undefined): void {
    this.#writeWhole({ kind: 'reasoning', redacted: true }, proof);
  }

  media(value: Media): void {
    this.#writeWhole({ kind: 'media', value });
  }

  opaque(value: OpaquePart): void {
    this.#writeWhole({ kind: 'opaque', value });
  }

  /** Ends all parts, then the choice. */
  finish(finish: Finish): void {
    if (this.#finished) return;
    this.close();
    for (const part of this.#beside) part.end();
    this.#finished = true;
    this.#output.put({ type: 'choice-end', choice: this.#choice, finish });
  }

  #create(kind: WrittenKind, call?: CallHead): PartWriter {
    const place = { choice: this.#choice, part: this.#count++ };
    return new PartWriter(this.#output, place, kind, this.#finished, call);
  }

  #writeWhole(head: Pick<PartStart, 'kind' | 'redacted' | 'value'>, proof?: Proof): void {
    if (this.#finished) return;
    this.close();
    this.#output.keep(BUFFERED_ENTRY_COST);
    const [choice, part] = [this.#choice, this.#count++];
    this.#output.put({ type: 'part-start', choice, part, ...head });
    this.#output.put({ type: 'part-end', choice, part, ...(proof === undefined ? {} : { proof }) });
  }
}
