import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, Part, Tool, Turn } from '../../../../../core/api/index.ts';
import { isObject, type Lose } from '../../../../../core/api/codec.ts';
import { parseCallInput } from '../../../../../core/api/internal.ts';
import { splitCallName } from '../../call-name.ts';
import { writeCacheMark } from '../../cache-mark.ts';
import { encodeOwnCitations } from '../../citations.ts';
import { decodeBlock } from '../../client/request/parts.ts';
import { blockPath } from '../../extra-members.ts';
import { WIRE, type Block } from '../../shape.ts';
import { isForeignSearch } from '../../web-search.ts';
import { encodeMedia } from './media.ts';

/** What encoding the blocks of one turn needs. */
export interface BlockEncoding {
  readonly role: Turn['role'];
  /** Blocks of the client with extra members, by their path in the turn. */
  readonly kept: JsonObject;
  /** Prefix of the field names of losses, e.g. `messages[2].`. */
  readonly path: string;
  readonly lose: Lose;
  /** The tools of the request. */
  readonly tools: readonly Tool[];
}
interface BlockContext extends BlockEncoding {
  readonly place: string;
}
type Encoders = {
  readonly [K in Part['type']]: (part: Extract<Part, { type: K }>, context: BlockContext) => Block | undefined;
};

const encoders: Encoders = {
  text: ({ text, citations = [], cache }, { lose, path, place }) => {
    const own = encodeOwnCitations(citations);
    if (citations.some(({ vendor }) => vendor.wire !== WIRE))
      lose(`${path}${place}.citations`, 'dropped', 'messages accepts only its own citations');
    return text === ''
      ? undefined
      : { type: 'text', text, ...(own.length === 0 ? {} : { citations: own }), ...writeCacheMark(cache) };
  },
  refusal: ({ text, cache }) => (text === '' ? undefined : { type: 'text', text, ...writeCacheMark(cache) }),
  media: (part, { role, lose, path, place }) => {
    if (role !== 'assistant') return encodeMedia(part, path + place, lose);
    lose(path + place, 'dropped', 'messages accepts no media in assistant turns');
    return undefined;
  },
  reasoning: ({ text, redacted, proof }, { lose, path, place }) => {
    if (proof !== undefined)
      return redacted === true
        ? { type: 'redacted_thinking', data: proof.value }
        : { type: 'thinking', thinking: text, signature: proof.value };
    lose(path + place, 'dropped', 'messages rejects thinking without a signature');
    return undefined;
  },
  'tool-call': ({ id, name, kind, input, cache, proof }, { lose, path, place, tools }) => {
    if (proof !== undefined) lose(`${path}${place}.proof`, 'dropped', 'messages has no signature on calls');
    return {
      type: 'tool_use',
      id,
      ...splitCallName(name, tools),
      input: kind === 'custom' ? { input } : parseCallInput(input, `${path}${place}.input`, lose),
      ...writeCacheMark(cache),
    };
  },
  'tool-result': ({ id, failed, parts, cache }, context) => {
    const content = encodeBlocks(parts, { ...context, role: 'user' }, context.place);
    return {
      type: 'tool_result',
      tool_use_id: id,
      ...(content.length === 0 ? {} : { content }),
      ...(failed ? { is_error: true } : {}),
      ...writeCacheMark(cache),
    };
  },
  opaque: ({ wire, value }, { lose, path, place }) => {
    if (isForeignSearch(value)) {
      lose(path + place, 'dropped', 'another vendor made the search');
      return undefined;
    }
    if (wire === WIRE && isObject(value) && typeof value['type'] === 'string') return value as Block;
    lose(path + place, 'dropped', `messages has no such part of ${wire}`);
    return undefined;
  },
};

const encodePart = <K extends Part['type']>(
  part: Extract<Part, { type: K }>,
  context: BlockContext,
): Block | undefined => encoders[part.type as K](part, context);

const silent = { measure: () => {}, keep: () => {}, change: () => {} };

/** Merges two blocks two levels deep; `encoded` wins. A cache mark keeps its `scope`, a source its unknown members. */
const overlay = (original: JsonObject, encoded: Block): Block => {
  const inner = Object.entries(encoded).filter(
    ([name, value]) => name !== 'input' && isObject(value) && isObject(original[name]),
  );
  return {
    ...original,
    ...encoded,
    ...Object.fromEntries(
      inner.map(([name, value]) => [name, { ...(original[name] as JsonObject), ...(value as JsonObject) }]),
    ),
  };
};

/** The client's own block, unless a fit changed the part that was read from it. */
const restore = (
  part: Part,
  encoded: Block | undefined,
  original: unknown,
  { lose, path, place }: BlockContext,
): Block | undefined => {
  if (!isObject(original)) return encoded;
  if (!isDeepStrictEqual(decodeBlock(original, place, silent, place), part)) {
    lose(path + place, 'approximated', 'a rule changed the block, which lost members that only messages has');
    return encoded;
  }
  return encoded !== undefined && encoded.type === original['type'] ? overlay(original, encoded) : (original as Block);
};

/** Encodes parts as content blocks, without those that the wire rejects: empty text and unsigned thinking. */
export const encodeBlocks = (parts: readonly Part[], writer: BlockEncoding, parent = ''): Block[] =>
  parts.flatMap((part, index) => {
    const context = { ...writer, place: blockPath(index, parent) };
    const block = restore(part, encodePart(part, context), writer.kept[context.place], context);
    return block === undefined ? [] : [block];
  });
