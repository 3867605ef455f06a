import { type JsonObject, omitUndefined, type Proof, sealProof } from '../../../../../core/index.ts';
import { sealItemProof, type ProofTarget } from '../../item-proof.ts';
import type { Item, OpenItem, OutputList, PartEnd } from './output-list.ts';
import { createWholeText } from '../../../whole-characters.ts';

type NewId = (prefix: string) => string;

/** Reasoning as this wire shows it: one summary, or none of what is hidden or redacted. */
const compose = (id: string, summary: readonly JsonObject[], encrypted?: string): Item =>
  omitUndefined({
    id,
    type: 'reasoning',
    summary,
    encrypted_content: encrypted,
  });
const summaryOf = (text: string): JsonObject => ({ type: 'summary_text', text });

/** A reasoning item that holds nothing but the proof of a call or a text. */
export function writeProofItem(output: OutputList, newId: NewId, signed: ProofTarget, proof: Proof): void {
  const id = newId('rs_');
  output.done(output.add(compose(id, [])), compose(id, [], sealItemProof(signed, proof)));
}

export interface ReasoningOptions {
  /** The text is shown. */
  readonly visible: boolean;
  /** The vendor gave the proof alone. */
  readonly redacted: boolean;
  /** The client asked for what it can give back. */
  readonly proofs: boolean;
}
export interface ReasoningItem extends OpenItem {
  delta(text: string): void;
  end(end: PartEnd): void;
}

/** A reasoning item. It is whole when its part ends, so closing it later says nothing new. */
export function openReasoning(
  output: OutputList,
  newId: NewId,
  { visible, redacted, proofs }: ReasoningOptions,
): ReasoningItem {
  const id = newId('rs_');
  const place = output.add(compose(id, []));
  const spot = { ...place, summary_index: 0 };
  const whole = createWholeText();
  let text = '';
  let over = false;
  const summary = (): readonly JsonObject[] => (visible ? [summaryOf(text)] : []);
  const show = (delta: string): void => {
    if (delta === '') return;
    text += delta;
    output.emit('response.reasoning_summary_text.delta', { ...spot, delta });
  };
  const seal = (proof: Proof): string => sealProof(redacted ? { ...proof, redacted: true } : proof);

  if (visible) output.emit('response.reasoning_summary_part.added', { ...spot, part: summaryOf('') });
  return {
    delta: (fragment) => {
      if (visible) show(whole.add(fragment));
    },
    end: ({ proof }) => {
      if (visible) {
        show(whole.rest());
        output.emit('response.reasoning_summary_text.done', { ...spot, text });
        output.emit('response.reasoning_summary_part.done', { ...spot, part: summaryOf(text) });
      }
      output.done(place, compose(id, summary(), proofs && proof !== undefined ? seal(proof) : undefined));
      over = true;
    },
    close: () => {},
    soFar: () => (over ? undefined : compose(id, summary())),
  };
}
