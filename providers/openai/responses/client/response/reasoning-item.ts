import type { JsonObject } from '../../../../../core/api/index.ts';
import { omitUndefined, type PartEncoder, type PartEnd, type Proof, sealProof } from '../../../../../core/api/codec.ts';
import { type ProofTarget, sealItemProof } from '../../../../../core/api/internal.ts';
import type { Item, NewId, OpenItem, OutputList, ItemPosition } from './output-list.ts';

/** Reasoning has one summary on this wire, or none when it is hidden or redacted. */
const compose = (id: string, summary: readonly JsonObject[], encrypted?: string): Item =>
  omitUndefined({ id, type: 'reasoning', summary, encrypted_content: encrypted });
const composeSummary = (text: string): JsonObject => ({ type: 'summary_text', text });

/** A reasoning item that holds only the proof of a call or a text. */
export function writeProofItem(output: OutputList, newId: NewId, target: ProofTarget, proof: Proof): void {
  const id = newId('rs_');
  output.finish(output.add(compose(id, [])), compose(id, [], sealItemProof(target, proof)));
}

interface ReasoningOptions {
  /** The text is shown. */
  readonly visible: boolean;
  /** The vendor sent the proof alone. */
  readonly redacted: boolean;
  /** The client asked for proofs, which it can send back. */
  readonly proofs: boolean;
}

/** A reasoning item. It is finished when its part ends. */
export class ReasoningItem implements OpenItem, PartEncoder {
  readonly #output: OutputList;
  readonly #options: ReasoningOptions;
  readonly #id: string;
  readonly #position: ItemPosition & { readonly summary_index: number };
  #text = '';
  #over = false;

  constructor(output: OutputList, newId: NewId, options: ReasoningOptions) {
    this.#output = output;
    this.#options = options;
    this.#id = newId('rs_');
    this.#position = { ...output.add(compose(this.#id, [])), summary_index: 0 };
    if (options.visible)
      output.emit('response.reasoning_summary_part.added', { ...this.#position, part: composeSummary('') });
  }

  delta(fragment: string): void {
    if (!this.#options.visible || fragment === '') return;
    this.#text += fragment;
    this.#output.emit('response.reasoning_summary_text.delta', { ...this.#position, delta: fragment });
  }

  end({ proof }: PartEnd): void {
    if (this.#options.visible) this.#endSummary();
    this.#output.finish(this.#position, compose(this.#id, this.#summary(), this.#seal(proof)));
    this.#over = true;
  }

  partial(): Item | undefined {
    return this.#over ? undefined : compose(this.#id, this.#summary());
  }

  #endSummary(): void {
    this.#output.emit('response.reasoning_summary_text.done', { ...this.#position, text: this.#text });
    this.#output.emit('response.reasoning_summary_part.done', { ...this.#position, part: composeSummary(this.#text) });
  }

  #summary(): readonly JsonObject[] {
    return this.#options.visible ? [composeSummary(this.#text)] : [];
  }

  #seal(proof: Proof | undefined): string | undefined {
    const { redacted, proofs } = this.#options;
    if (!proofs || proof === undefined) return undefined;
    return sealProof(redacted ? { ...proof, redacted: true } : proof);
  }
}
