import {
  createKeptLimit,
  type CallHead,
  type JsonObject,
  type PartEvent,
  type PartKind,
  type WriteContext,
} from '../../../../../core/index.ts';
import { writeAnnotations } from '../../annotations.ts';
import { openCall } from './call-item.ts';
import { placeCall } from './echo-tools.ts';
import { openMessage, type ContentKind, type MessageItem, type OpenContent } from './message-item.ts';
import type { Item, ItemStatus, OpenItem, OpenPart, OutputList, PartEnd } from './output-list.ts';
import { wantsProofs } from '../../request-form.ts';
import { openReasoning } from './reasoning-item.ts';
import { writeImage, writeOpaque } from './vendor-items.ts';

type Start = Extract<PartEvent, { type: 'part-start' }>;

/** Writes parts, which come one after the other, as items. */
export interface ItemStream {
  push(event: PartEvent): void;
  /** Closes the item that is open: with `incomplete` where the answer was cut in it. */
  settle(status: ItemStatus): void;
  /** The item that is open, as far as it may be shown. */
  soFar(): Item | undefined;
}

const nothing: OpenPart = { delta: () => {}, end: () => {} };

/** Call ids that are missing or used twice get one of their own: clients of this wire refuse such an answer. */
const createCallIds = (newId: (prefix: string) => string): ((call: CallHead) => CallHead) => {
  const used = new Set<string>();
  return (call) => {
    const id = call.id === '' || used.has(call.id) ? newId('call_') : call.id;
    used.add(id);
    return { ...call, id };
  };
};

export function createItemStream(output: OutputList, { request, newId, lose }: WriteContext): ItemStream {
  const proofs = wantsProofs(request);
  const claimId = createCallIds(newId);
  /** The last event repeats the whole answer. */
  const keep = createKeptLimit();
  let current: OpenItem | undefined;
  let message: MessageItem | undefined;
  let part: OpenPart = nothing;

  const settle = (status: ItemStatus): void => {
    current?.close(status);
    current = undefined;
    message = undefined;
  };
  const begin = <T extends OpenItem>(create: () => T): T => {
    settle('completed');
    const item = create();
    current = item;
    return item;
  };
  /** Neighbouring texts and refusals are the content of one message. */
  const openContent = (kind: ContentKind): OpenContent => {
    message ??= begin(() => openMessage(output, newId));
    current = message;
    return message.open(kind);
  };
  const annotate = (text: string, { citations = [] }: PartEnd): readonly JsonObject[] =>
    writeAnnotations(citations, text, () =>
      lose('output.content.annotations', 'dropped', 'a citation without an address has no place here'),
    );

  /** A text begins with its first character: one that stays empty leaves no trace. */
  const contentPart = (kind: ContentKind): OpenPart => {
    let content: OpenContent | undefined;
    let text = '';
    return {
      delta: (fragment) => {
        content ??= openContent(kind);
        text += fragment;
        content.delta(fragment);
      },
      end: (end) => {
        content?.end(kind === 'text' ? annotate(text, end) : [], proofs ? end.proof : undefined);
      },
    };
  };
  const starters: Readonly<Record<PartKind, (start: Start) => OpenPart>> = {
    text: () => contentPart('text'),
    refusal: () => contentPart('refusal'),
    reasoning: ({ redacted = false }) => {
      const visible = !redacted && request.reasoning?.show !== false;
      return begin(() => openReasoning(output, newId, { visible, redacted, proofs }));
    },
    'tool-call': ({ call }) =>
      call === undefined
        ? nothing
        : begin(() => openCall(output, { call: claimId(call), named: placeCall(request, call.name), newId, proofs })),
    media: ({ value }) => {
      settle('completed');
      writeImage(output, newId, value, lose);
      return nothing;
    },
    opaque: ({ value }) => {
      settle('completed');
      writeOpaque(output, newId, value, lose);
      return nothing;
    },
  };
  return {
    push: (event) => {
      if (event.type === 'part-start') part = starters[event.kind](event);
      else if (event.type === 'part-end') part.end(event);
      else if (event.text !== '') {
        keep(event.text.length);
        part.delta(event.text);
      }
    },
    settle,
    soFar: () => current?.soFar(),
  };
}
