import type {
  GenerateRequest,
  JsonObject,
  Media,
  OpaquePart,
  SearchCall,
  TokenLogprob,
} from '../../../../../core/api/index.ts';
import {
  type CallHead,
  createBufferLimit,
  isObject,
  type Lose,
  type PartEncoder,
  type PartEnd,
  type PartEvent,
  type PartStart,
  weighLogprobs,
  type WriteContext,
} from '../../../../../core/api/codec.ts';
import { findTool } from '../../../../../core/api/internal.ts';
import { writeLogprobs } from '../../../chat-completions/logprobs.ts';
import { writeAnnotations } from '../../annotations.ts';
import { findClientTool } from '../../client-tools.ts';
import { splitToolName } from '../../namespaces.ts';
import { wantsProofs } from '../../request-form.ts';
import { WIRE } from '../../shape.ts';
import { CallItem, type CallOptions, ClientCallItem } from './call-item.ts';
import { type ContentKind, MessageItem, type OpenContent } from './message-item.ts';
import type { Item, ItemStatus, NewId, OpenItem, OutputList } from './output-list.ts';
import { ReasoningItem } from './reasoning-item.ts';

/** An image that the model made: https://platform.openai.com/docs/guides/tools-image-generation */
function writeImage(output: OutputList, newId: NewId, value: unknown, lose: Lose): void {
  const media = value as Media;
  if (!('base64' in media) || !media.mediaType.startsWith('image/'))
    return lose('output', 'dropped', 'responses holds no media but images, and those as bytes');
  const head = { id: newId('ig_'), type: 'image_generation_call' };
  const position = output.add({ ...head, status: 'in_progress', result: null });
  return output.finish(position, { ...head, status: 'completed', result: media.base64 });
}

/** https://platform.openai.com/docs/guides/tools-web-search. Results without a search belong to an earlier item. */
function writeSearch(output: OutputList, newId: NewId, { queries, sources = [] }: SearchCall): void {
  if (queries === undefined) return;
  const action = {
    type: 'search',
    query: queries[0] ?? '',
    queries,
    ...(sources.length === 0 ? {} : { sources: sources.map(({ url }) => ({ type: 'url', url })) }),
  };
  const item: Item = { id: newId('ws_'), type: 'web_search_call', status: 'completed', action };
  const position = output.add({ ...item, status: 'in_progress' });
  for (const phase of ['in_progress', 'searching', 'completed'])
    output.emit(`response.web_search_call.${phase}`, { ...position });
  output.finish(position, item);
}

/** An item that only this wire defines is written unchanged. The SDK requires an id. */
function writeOpaque(output: OutputList, newId: NewId, part: unknown, lose: Lose): void {
  const { wire, value, search } = part as OpaquePart;
  if (wire !== WIRE && search !== undefined) return writeSearch(output, newId, search);
  if (wire !== WIRE || !isObject(value) || typeof value['type'] !== 'string')
    return lose('output', 'dropped', `a block that exists only on ${wire}`);
  const { id } = value;
  const item: Item = { ...value, id: typeof id === 'string' && id !== '' ? id : newId('item_'), type: value['type'] };
  return output.finish(output.add(item), item);
}

const noPart: PartEncoder = { delta: () => {}, end: () => {} };

/** Text or refusal. Its content starts with the first character: a part that stays empty is not written. */
class ContentPart implements PartEncoder {
  readonly #items: ItemWriter;
  readonly #kind: ContentKind;
  #open: { readonly message: MessageItem; readonly content: OpenContent } | undefined;
  #text = '';

  constructor(items: ItemWriter, kind: ContentKind) {
    this.#items = items;
    this.#kind = kind;
  }

  delta(fragment: string, tokens: readonly TokenLogprob[] = []): void {
    if (this.#open === undefined && fragment === '') return;
    this.#open ??= this.#start();
    this.#text += fragment;
    this.#open.content.delta(fragment, this.#items.listTokens(this.#kind, tokens));
  }

  end(end: PartEnd): void {
    if (this.#open === undefined) return;
    const annotations = this.#kind === 'text' ? this.#items.annotate(this.#text, end) : [];
    const proof = this.#items.proofs ? end.proof : undefined;
    this.#open.message.endContent(this.#open.content, annotations, proof);
  }

  #start(): { readonly message: MessageItem; readonly content: OpenContent } {
    const message = this.#items.openMessage();
    return { message, content: message.openContent(this.#kind) };
  }
}

/** Writes parts, which come one after the other, as output items. */
export class ItemWriter {
  /** The client asked for proofs, which it can send back. */
  readonly proofs: boolean;
  readonly #output: OutputList;
  readonly #request: GenerateRequest;
  readonly #newId: NewId;
  readonly #lose: Lose;
  /** The last event repeats the whole response, so all text is kept. */
  readonly #keep = createBufferLimit();
  readonly #callIds = new Set<string>();
  #current: OpenItem | undefined;
  /** The current item, when it is a message. */
  #message: MessageItem | undefined;
  #part: PartEncoder = noPart;

  constructor(output: OutputList, { request, newId, lose }: WriteContext) {
    this.proofs = wantsProofs(request);
    this.#output = output;
    this.#request = request;
    this.#newId = newId;
    this.#lose = lose;
  }

  push(event: PartEvent): void {
    if (event.type === 'part-start') this.#part = this.#start(event);
    else if (event.type === 'part-end') this.#part.end(event);
    else if (event.text !== '' || event.logprobs !== undefined) {
      this.#keep(event.text.length);
      this.#part.delta(event.text, event.logprobs);
    }
  }

  /** Closes the open item: with `incomplete` where the response was cut in it. */
  close(status: ItemStatus): void {
    this.#current?.close?.(status);
    this.#current = undefined;
    this.#message = undefined;
  }

  /** What a failed response shows of the open item. */
  partial(): Item | undefined {
    return this.#current?.partial?.();
  }

  /** Neighbouring texts and refusals are the content of one message. */
  openMessage(): MessageItem {
    if (this.#message !== undefined) return this.#message;
    this.close('completed');
    this.#message = new MessageItem(this.#output, this.#newId);
    this.#current = this.#message;
    return this.#message;
  }

  annotate(text: string, { citations = [] }: PartEnd): readonly JsonObject[] {
    return writeAnnotations(citations, text, () =>
      this.#lose('output.content.annotations', 'dropped', 'responses has no citation without a URL'),
    );
  }

  /** The tokens that the client has asked for: some vendors send them without being asked. */
  listTokens(kind: ContentKind, tokens: readonly TokenLogprob[]): readonly JsonObject[] {
    if (this.#request.logprobs === undefined || tokens.length === 0) return [];
    if (kind === 'text') {
      this.#keep(weighLogprobs(tokens));
      return writeLogprobs(tokens);
    }
    this.#lose('output.content.logprobs', 'dropped', 'responses has no log probabilities of a refusal');
    return [];
  }

  #start(event: PartStart): PartEncoder {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return new ContentPart(this, event.kind);
      case 'reasoning':
        return this.#startReasoning(event);
      case 'tool-call':
        return event.call === undefined ? noPart : this.#startCall(event.call);
      case 'media':
        this.close('completed');
        writeImage(this.#output, this.#newId, event.value, this.#lose);
        return noPart;
      case 'opaque':
        this.close('completed');
        writeOpaque(this.#output, this.#newId, event.value, this.#lose);
        return noPart;
    }
  }

  #startReasoning({ redacted = false }: PartStart): PartEncoder {
    this.close('completed');
    const visible = !redacted && this.#request.reasoning?.show !== false;
    // An item with its id alone would be a reference in the next request.
    if (!visible && !this.proofs) return noPart;
    const item = new ReasoningItem(this.#output, this.#newId, { visible, redacted, proofs: this.proofs });
    this.#current = item;
    return item;
  }

  #startCall(head: CallHead): PartEncoder {
    this.close('completed');
    const options: CallOptions = {
      call: { ...head, id: this.#claimCallId(head.id) },
      named: splitToolName(this.#request, head.name),
      newId: this.#newId,
      proofs: this.proofs,
    };
    const tool = findClientTool(findTool(this.#request.tools, head.name)?.vendorType);
    const item =
      tool === undefined
        ? new CallItem(this.#output, options)
        : new ClientCallItem(this.#output, options, tool, this.#lose);
    this.#current = item;
    return item;
  }

  /** An id that is missing or used twice is replaced: clients of this wire reject such a response. */
  #claimCallId(id: string): string {
    const claimed = id === '' || this.#callIds.has(id) ? this.#newId('call_') : id;
    this.#callIds.add(claimed);
    return claimed;
  }
}
