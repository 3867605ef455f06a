import type { JsonObject, OpaquePart, Tool } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  isObject,
  sealProof,
  type CallHead,
  type Lose,
  type PartEncoder,
  type PartEnd,
  type PartEvent,
  type PartKind,
  type PartStart,
  type WriteContext,
} from '../../../../../core/api/codec.ts';
import { writeCallId } from '../../call-id.ts';
import { splitCallName } from '../../call-name.ts';
import { sealCallProof } from '../../call-proof.ts';
import { encodeCitations } from '../../citations.ts';
import { DIRECT, WIRE, type Write } from '../../shape.ts';
import { writeSearch } from '../../web-search.ts';

/** Writes parts, which arrive one after the other, as content blocks. */
export class BlockWriter {
  readonly lose: Lose;
  /** Whether the client wants to see thinking. */
  readonly show: boolean;
  /** The tools of the request. */
  readonly tools: readonly Tool[];
  /** Counts what is buffered until its block is written. */
  readonly keep = createBufferLimit();
  readonly #write: Write;
  #index = -1;
  #isOpen = false;
  #part = emptyPart;

  constructor(write: Write, { lose, request }: Pick<WriteContext, 'lose' | 'request'>) {
    this.#write = write;
    this.lose = lose;
    this.show = request.reasoning?.show !== false;
    this.tools = request.tools;
  }

  push(event: PartEvent): void {
    if (event.type === 'part-start') this.#part = starters[event.kind](event, this);
    else if (event.type === 'part-end') this.#part.end(event);
    else if (event.text !== '') this.#part.delta(event.text);
  }

  /**
   * Opens the block unless one is open. Indices count the blocks that are written, not the parts: the SDK loses text
   * when indices have gaps.
   */
  open(block: JsonObject): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#index += 1;
    this.#write('content_block_start', { type: 'content_block_start', index: this.#index, content_block: block });
  }

  delta(delta: JsonObject): void {
    this.#write('content_block_delta', { type: 'content_block_delta', index: this.#index, delta });
  }

  /** Closes the block if one is open. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#write('content_block_stop', { type: 'content_block_stop', index: this.#index });
  }
}

const ignore = (): void => {};
const emptyPart: PartEncoder = { delta: ignore, end: ignore };

class TextPart implements PartEncoder {
  readonly #writer: BlockWriter;

  constructor(writer: BlockWriter) {
    this.#writer = writer;
  }

  delta(text: string): void {
    this.#open();
    this.#writer.delta({ type: 'text_delta', text });
  }

  end({ citations = [], proof }: PartEnd): void {
    const { lose, show } = this.#writer;
    if (proof !== undefined && show) lose('content', 'dropped', 'messages has no signature on text');
    const encoded = encodeCitations(citations, () =>
      lose('citations', 'dropped', 'messages has no citation without a URL'),
    );
    if (encoded.length > 0) this.#open();
    for (const citation of encoded) this.#writer.delta({ type: 'citations_delta', citation });
    this.#writer.close();
  }

  #open(): void {
    this.#writer.open({ type: 'text', text: '', citations: [] });
  }
}

/** The SDK assigns signatures instead of appending them, so a signature is sent whole, once, after all thinking. */
class ThinkingPart implements PartEncoder {
  readonly #writer: BlockWriter;

  constructor(writer: BlockWriter) {
    this.#writer = writer;
  }

  delta(thinking: string): void {
    if (!this.#writer.show) return;
    this.#open();
    this.#writer.delta({ type: 'thinking_delta', thinking });
  }

  end({ proof }: Pick<PartEnd, 'proof'>): void {
    if (proof !== undefined) this.sign(sealProof(proof));
    this.#writer.close();
  }

  sign(signature: string): void {
    this.#open();
    this.#writer.delta({ type: 'signature_delta', signature });
  }

  #open(): void {
    this.#writer.open({ type: 'thinking', thinking: '', signature: '' });
  }
}

const startRedacted = (writer: BlockWriter): PartEncoder => ({
  delta: ignore,
  end: ({ proof }) => {
    if (proof === undefined) return;
    writer.open({ type: 'redacted_thinking', data: sealProof(proof) });
    writer.close();
  },
});

/** Arguments of a function are streamed; the text of a custom tool is wrapped in an object when it is complete. */
class CallPart implements PartEncoder {
  readonly #writer: BlockWriter;
  readonly #call: CallHead;
  #customInput = '';
  #empty = true;

  constructor(writer: BlockWriter, call: CallHead) {
    this.#writer = writer;
    this.#call = call;
    const name = splitCallName(call.name, writer.tools);
    writer.open({ type: 'tool_use', id: writeCallId(call.id), caller: DIRECT, ...name, input: {} });
  }

  delta(fragment: string): void {
    this.#empty = false;
    if (this.#call.kind === 'function') return this.#writeInput(fragment);
    this.#writer.keep(fragment.length);
    this.#customInput += fragment;
  }

  end({ proof }: PartEnd): void {
    if (this.#call.kind === 'custom') this.#writeInput(JSON.stringify({ input: this.#customInput }));
    else if (this.#empty) this.#writeInput('');
    this.#writer.close();
    if (proof === undefined) return;
    new ThinkingPart(this.#writer).sign(sealCallProof(this.#call.id, proof));
    this.#writer.close();
  }

  #writeInput(partial: string): void {
    this.#writer.delta({ type: 'input_json_delta', partial_json: partial });
  }
}

const writeOpaque = (writer: BlockWriter, part: unknown): void => {
  const { wire, value, search } = part as OpaquePart;
  if (wire !== WIRE && search !== undefined) {
    for (const block of writeSearch(search)) writeBlock(writer, block);
    return;
  }
  if (wire !== WIRE || !isObject(value)) return writer.lose('content', 'dropped', 'messages has no such part');
  writeBlock(writer, value);
};

/** Server tools stream their input like calls of the client; every other vendor block is whole in its start event. */
const writeBlock = (writer: BlockWriter, block: JsonObject): void => {
  const streamsInput =
    (block['type'] === 'server_tool_use' || block['type'] === 'mcp_tool_use') && isObject(block['input']);
  writer.open(streamsInput ? { ...block, input: {} } : block);
  if (streamsInput) writer.delta({ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) });
  writer.close();
};

const starters: Readonly<Record<PartKind, (start: PartStart, writer: BlockWriter) => PartEncoder>> = {
  text: (_start, writer) => new TextPart(writer),
  refusal: (_start, writer) => new TextPart(writer),
  reasoning: ({ redacted }, writer) => (redacted === true ? startRedacted(writer) : new ThinkingPart(writer)),
  'tool-call': ({ call }, writer) => (call === undefined ? emptyPart : new CallPart(writer, call)),
  media: (_start, { lose }) => {
    lose('media', 'dropped', 'messages has no media in responses');
    return emptyPart;
  },
  opaque: ({ value }, writer) => {
    writeOpaque(writer, value);
    return emptyPart;
  },
};
