import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  BUFFERED_ENTRY_COST,
  lookUp,
  parseJson,
  readText,
  type EmitEvent,
  type PartEnd,
  type ReadContext,
} from '../../../../../core/api/codec.ts';
import { joinCallName } from '../../call-name.ts';
import { readCitations } from '../../citations.ts';
import { readOpaqueBlock } from '../../web-search.ts';
import { readCallId, readProof, readRedactedProof } from './response.ts';

/** A block of the stream that has started and not stopped. */
export interface OpenBlock {
  delta(delta: JsonObject, emit: EmitEvent): void;
  stop(emit: EmitEvent): void;
}
interface BlockContext {
  /** The handle of the part. */
  readonly part: number;
  /** The index of the block in the response. */
  readonly index: number;
  readonly context: ReadContext;
  /** Counts what is buffered until the block stops. */
  readonly keep: (chars: number) => void;
}

const endPart = (part: number, emit: EmitEvent, end: Omit<PartEnd, 'type' | 'choice' | 'part'> = {}): void =>
  emit({ type: 'part-end', choice: 0, part, ...end });

const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/**
 * Emits the text of one part. Vendors cut text between the halves of a surrogate pair: the first half waits for the
 * second, so that no client receives a broken character.
 */
class TextEmitter {
  readonly #part: number;
  #half = '';

  constructor(part: number) {
    this.#part = part;
  }

  write(text: unknown, emit: EmitEvent): void {
    const whole = this.#half + readText(text);
    const cut = HIGH_SURROGATE_AT_END.test(whole) ? whole.length - 1 : whole.length;
    this.#half = whole.slice(cut);
    this.#emit(whole.slice(0, cut), emit);
  }

  /** Emits a half that is still waiting. */
  end(emit: EmitEvent): void {
    this.#emit(this.#half, emit);
  }

  #emit(text: string, emit: EmitEvent): void {
    if (text !== '') emit({ type: 'part-delta', choice: 0, part: this.#part, text });
  }
}

class TextBlock implements OpenBlock {
  readonly #context: BlockContext;
  readonly #text: TextEmitter;
  readonly #citations: unknown[];

  constructor(block: JsonObject, context: BlockContext, emit: EmitEvent) {
    this.#context = context;
    this.#text = new TextEmitter(context.part);
    this.#citations = Array.isArray(block['citations']) ? [...block['citations']] : [];
    emit({ type: 'part-start', choice: 0, part: context.part, kind: 'text' });
    this.#text.write(block['text'], emit);
  }

  delta(delta: JsonObject, emit: EmitEvent): void {
    if (delta['type'] === 'text_delta') this.#text.write(delta['text'], emit);
    else if (delta['type'] === 'citations_delta') {
      this.#context.keep(BUFFERED_ENTRY_COST);
      this.#citations.push(delta['citation']);
    }
  }

  stop(emit: EmitEvent): void {
    this.#text.end(emit);
    endPart(this.#context.part, emit, readCitations(this.#citations));
  }
}

class ThinkingBlock implements OpenBlock {
  readonly #context: BlockContext;
  readonly #text: TextEmitter;
  #signature: unknown;

  constructor(block: JsonObject, context: BlockContext, emit: EmitEvent) {
    this.#context = context;
    this.#text = new TextEmitter(context.part);
    this.#signature = block['signature'];
    emit({ type: 'part-start', choice: 0, part: context.part, kind: 'reasoning' });
    this.#text.write(block['thinking'], emit);
  }

  delta(delta: JsonObject, emit: EmitEvent): void {
    if (delta['type'] === 'thinking_delta') this.#text.write(delta['thinking'], emit);
    else if (delta['type'] === 'signature_delta') this.#signature = delta['signature'];
  }

  stop(emit: EmitEvent): void {
    this.#text.end(emit);
    endPart(this.#context.part, emit, readProof(this.#signature, this.#context.context));
  }
}

const openRedacted = (block: JsonObject, { part, context }: BlockContext, emit: EmitEvent): OpenBlock => {
  emit({ type: 'part-start', choice: 0, part, kind: 'reasoning', redacted: true });
  return { delta: () => {}, stop: (out) => endPart(part, out, readRedactedProof(block['data'], context)) };
};

/** Arguments arrive as deltas, or whole in the start event; a call without any has the arguments `{}`. */
class CallBlock implements OpenBlock {
  readonly #part: number;
  readonly #input: unknown;
  #hasInput = false;

  constructor(block: JsonObject, { part, index, context }: BlockContext, emit: EmitEvent) {
    this.#part = part;
    this.#input = block['input'];
    const call = {
      id: readCallId(block['id'], index, context),
      name: joinCallName(readText(block['name']), block['toolset_name']),
      kind: 'function',
    } as const;
    emit({ type: 'part-start', choice: 0, part, kind: 'tool-call', call });
  }

  delta(delta: JsonObject, emit: EmitEvent): void {
    if (delta['type'] === 'input_json_delta') this.#emit(delta['partial_json'], emit);
  }

  stop(emit: EmitEvent): void {
    if (!this.#hasInput) this.#emit(JSON.stringify(this.#input ?? {}), emit);
    endPart(this.#part, emit);
  }

  #emit(text: unknown, emit: EmitEvent): void {
    if (typeof text !== 'string' || text === '') return;
    this.#hasInput = true;
    emit({ type: 'part-delta', choice: 0, part: this.#part, text });
  }
}

/** Applies a delta of a block type that this version does not know: strings are appended, other members are set. */
const applyDelta = (block: JsonObject, { type: _type, ...members }: JsonObject): JsonObject => {
  const result = { ...block };
  for (const [name, value] of Object.entries(members))
    result[name] = typeof result[name] === 'string' && typeof value === 'string' ? result[name] + value : value;
  return result;
};

/** Opaque parts are whole values, so the block is collected and emitted when it stops. */
class OpaqueBlock implements OpenBlock {
  readonly #context: BlockContext;
  #block: JsonObject;
  #json = '';

  constructor(block: JsonObject, context: BlockContext) {
    this.#context = context;
    this.#block = block;
  }

  delta(delta: JsonObject): void {
    for (const [name, value] of Object.entries(delta))
      this.#context.keep(typeof value === 'string' ? value.length : name.length + BUFFERED_ENTRY_COST);
    if (delta['type'] === 'input_json_delta' && typeof delta['partial_json'] === 'string')
      this.#json += delta['partial_json'];
    else this.#block = applyDelta(this.#block, delta);
  }

  stop(emit: EmitEvent): void {
    const { part } = this.#context;
    const input = this.#json === '' ? undefined : parseJson(this.#json);
    const value = isObject(input) ? { ...this.#block, input } : this.#block;
    emit({ type: 'part-start', choice: 0, part, kind: 'opaque', value: readOpaqueBlock(value) });
    endPart(part, emit);
  }
}

type Open = (block: JsonObject, context: BlockContext, emit: EmitEvent) => OpenBlock;

const openers: Readonly<Record<string, Open>> = {
  text: (block, context, emit) => new TextBlock(block, context, emit),
  thinking: (block, context, emit) => new ThinkingBlock(block, context, emit),
  redacted_thinking: openRedacted,
  tool_use: (block, context, emit) => new CallBlock(block, context, emit),
};

/** Starts the part that a `content_block_start` event announces. */
export function openBlock(block: JsonObject, context: BlockContext, emit: EmitEvent): OpenBlock {
  const open = lookUp(openers, readText(block['type']));
  return open === undefined ? new OpaqueBlock(block, context) : open(block, context, emit);
}
