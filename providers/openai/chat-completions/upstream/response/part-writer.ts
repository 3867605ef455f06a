import type { Citation } from '../../../../../core/api/index.ts';
import { type EmitEvent, omitUndefined, type PartStart, type Proof } from '../../../../../core/api/codec.ts';
import { WholeCharacters } from '../../../whole-characters.ts';

export type PartHead = Pick<PartStart, 'kind' | 'redacted' | 'value'>;

/** Text, refusal or reasoning that is being read. */
export interface OpenPart {
  /** Deltas with the same key belong to the same part. */
  readonly key: string;
  readonly part: number;
  readonly characters: WholeCharacters;
  proof?: Proof;
  citations?: Citation[];
}

/**
 * Emits the parts of one choice. Text, refusal and reasoning are open one at a time; calls interleave (`CallReader`).
 */
export class PartWriter {
  readonly #choice: number;
  #open: OpenPart | undefined;
  #count = 0;

  constructor(choice: number) {
    this.#choice = choice;
  }

  /** Parts started so far. */
  get count(): number {
    return this.#count;
  }

  /** The handle of the next part. */
  next(): number {
    return this.#count++;
  }

  /** Returns the open part when its key is the same, else closes it and starts another. */
  open(key: string, head: PartHead, emit: EmitEvent): OpenPart {
    if (this.#open?.key === key) return this.#open;
    this.close(emit);
    const opened: OpenPart = { key, part: this.next(), characters: new WholeCharacters() };
    this.#open = opened;
    emit({ type: 'part-start', choice: this.#choice, part: opened.part, ...head });
    return opened;
  }

  write(key: string, head: PartHead, text: string, emit: EmitEvent): void {
    if (text === '') return;
    const { part, characters } = this.open(key, head, emit);
    const whole = characters.add(text);
    if (whole !== '') emit({ type: 'part-delta', choice: this.#choice, part, text: whole });
  }

  /** Puts sources on the text that is being read, unless it has citations of its own. */
  cite(sources: readonly Citation[]): void {
    if (sources.length > 0 && this.#open?.key === 'text') this.#open.citations ??= [...sources];
  }

  /** A part that comes as a whole. */
  writeWhole(head: PartHead, proof: Proof | undefined, emit: EmitEvent): void {
    this.close(emit);
    const part = this.next();
    emit({ type: 'part-start', choice: this.#choice, part, ...head });
    emit(omitUndefined({ type: 'part-end', choice: this.#choice, part, proof }));
  }

  close(emit: EmitEvent): void {
    const open = this.#open;
    if (open === undefined) return;
    const { part, characters, proof, citations } = open;
    this.#open = undefined;
    const half = characters.end();
    if (half !== '') emit({ type: 'part-delta', choice: this.#choice, part, text: half });
    emit(omitUndefined({ type: 'part-end', choice: this.#choice, part, proof, citations }));
  }
}
