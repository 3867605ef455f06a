import type { JsonObject, Proof } from '../../../../../core/index.ts';
import type { Item, ItemStatus, OpenItem, OutputList } from './output-list.ts';
import { writeProofItem } from './reasoning-item.ts';
import { createWholeText } from '../../../whole-characters.ts';

export type ContentKind = 'text' | 'refusal';

/** A content part of a message. */
export interface OpenContent {
  delta(text: string): void;
  /** @param proof handed out behind the message */
  end(annotations: readonly JsonObject[], proof?: Proof): void;
}
export interface MessageItem extends OpenItem {
  open(kind: ContentKind): OpenContent;
}

interface Words {
  readonly event: string;
  /** What the deltas of it carry beside the text: the SDK expects the list. */
  readonly beside: JsonObject;
  text(text: string): JsonObject;
  part(text: string, annotations: readonly JsonObject[]): JsonObject;
}
const words: Readonly<Record<ContentKind, Words>> = {
  text: {
    event: 'response.output_text',
    beside: { logprobs: [] },
    text: (text) => ({ text }),
    part: (text, annotations) => ({ type: 'output_text', text, annotations, logprobs: [] }),
  },
  refusal: {
    event: 'response.refusal',
    beside: {},
    text: (refusal) => ({ refusal }),
    part: (refusal) => ({ type: 'refusal', refusal }),
  },
};

/** A message item: part by part, and the proofs of its texts behind it. */
export function openMessage(output: OutputList, newId: (prefix: string) => string): MessageItem {
  const id = newId('msg_');
  const content: JsonObject[] = [];
  const proofs: { readonly content: number; readonly proof: Proof }[] = [];
  let unfinished: () => readonly JsonObject[] = () => [];
  const compose = (status: string, parts: readonly JsonObject[]): Item => ({
    id,
    type: 'message',
    role: 'assistant',
    status,
    content: parts,
  });
  const place = output.add(compose('in_progress', []));

  const open = (kind: ContentKind): OpenContent => {
    const { event, beside, text: write, part } = words[kind];
    const spot = { ...place, content_index: content.length };
    const whole = createWholeText();
    let text = '';
    const show = (delta: string): void => {
      if (delta === '') return;
      text += delta;
      output.emit(`${event}.delta`, { ...spot, delta, ...beside });
    };
    unfinished = () => [part(text, [])];
    output.emit('response.content_part.added', { ...spot, part: part('', []) });
    return {
      delta: (fragment) => show(whole.add(fragment)),
      end: (annotations, proof) => {
        show(whole.rest());
        annotations.forEach((annotation, index) =>
          output.emit('response.output_text.annotation.added', { ...spot, annotation_index: index, annotation }),
        );
        output.emit(`${event}.done`, { ...spot, ...write(text), ...beside });
        output.emit('response.content_part.done', { ...spot, part: part(text, annotations) });
        if (proof !== undefined) proofs.push({ content: content.length, proof });
        content.push(part(text, annotations));
        unfinished = () => [];
      },
    };
  };
  return {
    open,
    close: (status: ItemStatus) => {
      output.done(place, compose(status, content));
      for (const { content: index, proof } of proofs) writeProofItem(output, newId, { content: index }, proof);
    },
    soFar: () => compose('incomplete', [...content, ...unfinished()]),
  };
}
