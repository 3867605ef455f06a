import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  type ChoiceWriter,
  isObject,
  lookUp,
  parseJson,
  type PartWriter,
  type Proof,
  type ReadContext,
  readText,
} from '../../../../../core/api/codec.ts';
import { joinCallName } from '../../call-name.ts';
import { readCitations } from '../../citations.ts';
import { readOpaqueBlock } from '../../web-search.ts';

/** Blocks whose content arrives in deltas. Every other block is content by itself. */
const announcing = new Set<unknown>(['text', 'thinking']);
/** The members of a delta that the client can see. */
const deltaMembers = ['text', 'thinking', 'partial_json', 'signature', 'citation', 'content'] as const;

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Whether the client can see anything of a block. */
export function hasVisibleContent(block: unknown): boolean {
  if (!isObject(block) || !announcing.has(block['type'])) return true;
  return isSet(block['text']) || isSet(block['thinking']) || isSet(block['signature']);
}

/** The visible members of a delta that are not empty. */
export const visibleMembers = (delta: JsonObject): readonly string[] =>
  deltaMembers.filter((member) => isSet(delta[member]));

const readProof = (blob: unknown, { origin }: ReadContext): { readonly proof?: Proof } =>
  typeof blob === 'string' && blob !== '' ? { proof: { origin, value: blob } } : {};

function readRedactedProof(blob: unknown, context: ReadContext): { readonly proof?: Proof } {
  const { proof } = readProof(blob, context);
  return proof === undefined ? {} : { proof: { ...proof, redacted: true } };
}

/** A missing id is derived from the position in the conversation, so that the next turn derives the same one. */
const readCallId = (id: unknown, index: number, { turn }: ReadContext): string =>
  typeof id === 'string' && id !== '' ? id : `toolu_${turn}_${index}`;

/** Arguments as JSON text. Some vendors of this wire send that text instead of an object. */
const readInput = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input ?? {}));

/** A block that has started and not stopped. */
export interface OpenBlock {
  delta(delta: JsonObject): void;
  stop(): void;
}
interface BlockContext {
  readonly answer: ChoiceWriter;
  /** The index of the block in the response. */
  readonly index: number;
  readonly context: ReadContext;
  /** Counts what is buffered until the block stops. */
  readonly keep: (chars: number) => void;
}

/** Deltas with text: the part that they belong to, and the member that has it. */
const texts: Readonly<Record<string, { readonly kind: PartWriter['kind']; readonly member: string }>> = {
  text_delta: { kind: 'text', member: 'text' },
  thinking_delta: { kind: 'reasoning', member: 'thinking' },
  input_json_delta: { kind: 'tool-call', member: 'partial_json' },
};

/** A block whose text, or whose arguments, are written as they arrive. */
class WrittenBlock implements OpenBlock {
  readonly #part: PartWriter;
  readonly #context: ReadContext;
  readonly #input: unknown;

  /** @param input of a call: its arguments if no delta brings any */
  constructor(part: PartWriter, context: ReadContext, input?: unknown) {
    this.#part = part;
    this.#context = context;
    this.#input = input;
  }

  delta(delta: JsonObject): void {
    const part = this.#part;
    const type = readText(delta['type']);
    const text = lookUp(texts, type);
    if (text?.kind === part.kind) part.write(readText(delta[text.member]));
    else if (type === 'signature_delta' && part.kind === 'reasoning')
      part.proof = readProof(delta['signature'], this.#context).proof;
    else if (type === 'citations_delta' && part.kind === 'text') part.cite(readCitations([delta['citation']]));
  }

  stop(): void {
    if (this.#part.isEmpty && this.#input !== undefined) this.#part.write(readInput(this.#input));
    this.#part.end();
  }
}

/** Applies a delta of a block type that this version does not know: strings are appended, other members are set. */
const applyDelta = (block: JsonObject, { type: _type, ...members }: JsonObject): JsonObject => {
  const result = { ...block };
  for (const [name, value] of Object.entries(members))
    result[name] = typeof result[name] === 'string' && typeof value === 'string' ? result[name] + value : value;
  return result;
};

/** Opaque parts are whole values, so the block is collected and written when it stops. */
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

  stop(): void {
    const input = this.#json === '' ? undefined : parseJson(this.#json);
    this.#context.answer.opaque(readOpaqueBlock(isObject(input) ? { ...this.#block, input } : this.#block));
  }
}

const openText = (block: JsonObject, { answer, context }: BlockContext): OpenBlock => {
  const part = answer.open('text');
  part.cite(readCitations(block['citations']));
  part.write(readText(block['text']));
  return new WrittenBlock(part, context);
};

const openThinking = (block: JsonObject, { answer, context }: BlockContext): OpenBlock => {
  const part = answer.open('reasoning');
  part.proof = readProof(block['signature'], context).proof;
  part.write(readText(block['thinking']));
  return new WrittenBlock(part, context);
};

const openCall = (block: JsonObject, { answer, index, context }: BlockContext): OpenBlock => {
  const name = joinCallName(readText(block['name']), block['toolset_name']);
  const part = answer.call({ id: readCallId(block['id'], index, context), name, kind: 'function' });
  return new WrittenBlock(part, context, block['input'] ?? {});
};

const openers: Readonly<Record<string, (block: JsonObject, context: BlockContext) => OpenBlock>> = {
  text: openText,
  thinking: openThinking,
  redacted_thinking: ({ data }, { answer, context }) => ({
    delta: () => {},
    stop: () => answer.redacted(readRedactedProof(data, context).proof),
  }),
  tool_use: openCall,
};

/** Starts the part of a block: one that a `content_block_start` event announces, or one of a plain response. */
export const openBlock = (block: JsonObject, context: BlockContext): OpenBlock =>
  lookUp(openers, readText(block['type']))?.(block, context) ?? new OpaqueBlock(block, context);
