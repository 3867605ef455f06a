import { invalidRequest, type JsonObject, type Part, type ReasoningPart } from '../../../../../core/api/index.ts';
import { isObject, lookUp, readMembers, unsealProof, type Members } from '../../../../../core/api/codec.ts';
import { readCallId } from '../../call-id.ts';
import { joinCallName } from '../../call-name.ts';
import { readCacheMark } from '../../cache-mark.ts';
import { citationsOf } from '../../citations.ts';
import { blockPath } from '../../extra-members.ts';
import { WIRE } from '../../shape.ts';
import { decodeSource } from './media.ts';
import { describeToolChange, readChangeList, readToolChange, type ToolChange } from './tool-changes.ts';

/** What decoding the blocks of one turn needs. */
export interface BlockDecoding {
  /** Counts an image against the image limits of the request. */
  measure(base64: string, path: string): void;
  /**
   * Keeps a block whose part does not hold all of it.
   * @param path within the turn
   */
  keep(path: string, block: JsonObject): void;
  /** Takes note of a change of the tools that the model is offered. */
  change(change: ToolChange): void;
}
interface BlockContext {
  readonly reader: BlockDecoding;
  /** The path of the block within its turn, under which the block is kept. */
  readonly place: string;
  readonly block: JsonObject;
}

const proofOf = (blob: string | undefined): Pick<ReasoningPart, 'proof'> =>
  blob === undefined || blob === '' ? {} : { proof: unsealProof(blob) };

/** Arguments as JSON text; a missing `input` is `{}`. */
const decodeInput = (members: Members): string => {
  const input = members.value('input') ?? {};
  if (!isObject(input)) throw invalidRequest(members.at('input'), `'${members.at('input')}' must be an object.`);
  return JSON.stringify(input);
};

/**
 * The text of a block that only this wire has, for targets of other wires: a search result, or a document made of
 * blocks.
 */
const flattenText = (members: Members, headings: readonly (string | undefined)[], content: unknown): string => {
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const texts = blocks.map((block, index) => {
    const inner = readMembers(block, `${members.at('content')}[${index}]`);
    return inner.string('type') === 'text' ? inner.string('text') : undefined;
  });
  return [...headings, typeof content === 'string' ? content : undefined, ...texts]
    .filter((text) => text !== undefined && text !== '')
    .join('\n');
};

/** Images inside a document made of blocks count against the same limits. */
const measureImages = (source: Members, { reader }: BlockContext): void => {
  for (const [index, block] of (source.array('content') ?? []).entries()) {
    const inner = readMembers(block, `${source.at('content')}[${index}]`);
    const image = inner.string('type') === 'image' ? inner.object('source') : undefined;
    const data = image?.string('data');
    if (image !== undefined && data !== undefined) reader.measure(data, image.at('data'));
  }
};

const decodeDocument = (members: Members, context: BlockContext): Part => {
  const name = members.string('title');
  const source = members.object('source');
  if (source === undefined) throw invalidRequest(members.at('source'), `'${members.at('source')}' is required.`);
  const base = readCacheMark(members);
  if (source.string('type') === 'content' && Array.isArray(source.value('content'))) measureImages(source, context);
  if (source.string('type') === 'content')
    return { type: 'text', text: flattenText(source, [name], source.value('content')), ...base };
  return { type: 'media', media: decodeSource(source, 'document'), ...(name === undefined ? {} : { name }), ...base };
};

const decodeToolChange = (members: Members, { reader, block }: BlockContext): Part => {
  const change = readToolChange(block, members.path);
  if (change === undefined) return { type: 'opaque', wire: WIRE, value: block };
  reader.change(change);
  return { type: 'text', text: describeToolChange(change), ...readCacheMark(members) };
};

/** The summary of the earlier conversation is text to other vendors. Without one, the compaction has failed. */
const decodeCompaction = (members: Members, { reader, block }: BlockContext): Part => {
  readChangeList(block, members.path).forEach(reader.change);
  const summary = members.string('content');
  if (summary === undefined) return { type: 'opaque', wire: WIRE, value: block };
  return { type: 'text', text: `Summary of the conversation so far:\n${summary}`, ...readCacheMark(members) };
};

const decoders: Readonly<Record<string, (members: Members, context: BlockContext) => Part>> = {
  text: (members) => {
    const text = members.requiredString('text');
    const citations = members.array('citations');
    return {
      type: 'text',
      text,
      ...(citations === undefined ? {} : citationsOf(citations)),
      ...readCacheMark(members),
    };
  },
  image: (members, { reader }) => {
    const source = members.object('source');
    if (source === undefined) throw invalidRequest(members.at('source'), `'${members.at('source')}' is required.`);
    const media = decodeSource(source, 'image');
    if ('base64' in media) reader.measure(media.base64, source.at('data'));
    return { type: 'media', media, ...readCacheMark(members) };
  },
  document: decodeDocument,
  tool_use: (members) => ({
    type: 'tool-call',
    id: readCallId(members.requiredString('id')),
    name: joinCallName(members.requiredString('name'), members.string('toolset_name')),
    kind: 'function',
    input: decodeInput(members),
    ...readCacheMark(members),
  }),
  tool_result: (members, { reader, place }) => ({
    type: 'tool-result',
    id: readCallId(members.requiredString('tool_use_id')),
    failed: members.boolean('is_error') ?? false,
    parts: decodeContent(members.value('content') ?? [], members.at('content'), reader, place),
    ...readCacheMark(members),
  }),
  tool_reference: (members, { reader }) => {
    const key = members.requiredString('tool_name');
    reader.change({ type: 'found', key });
    return { type: 'text', text: `Tool found: ${key}\n`, ...readCacheMark(members) };
  },
  tool_addition: decodeToolChange,
  tool_removal: decodeToolChange,
  tool_search_tool_result: (members, { reader, block }) => {
    readChangeList(block, members.path).forEach(reader.change);
    return { type: 'opaque', wire: WIRE, value: block };
  },
  compaction: decodeCompaction,
  thinking: (members) => ({
    type: 'reasoning',
    text: members.string('thinking') ?? '',
    ...proofOf(members.string('signature')),
  }),
  redacted_thinking: (members) => ({
    type: 'reasoning',
    text: '',
    redacted: true,
    ...proofOf(members.requiredString('data')),
  }),
  search_result: (members) => ({
    type: 'text',
    text: flattenText(members, [members.string('title'), members.string('source')], members.value('content')),
    ...readCacheMark(members),
  }),
};

/** `caller: direct` is the default. */
const isDefaultMember = (name: string, value: unknown): boolean =>
  name === 'caller' && isObject(value) && value['type'] === 'direct';

/** The members that are read of the objects inside a block. */
const knownInnerMembers: Readonly<Record<string, readonly string[]>> = {
  cache_control: ['type', 'ttl'],
  source: ['type', 'media_type', 'data', 'url', 'file_id', 'content'],
};
const hasUnknownInnerMembers = (block: JsonObject): boolean =>
  Object.entries(knownInnerMembers).some(
    ([name, known]) => isObject(block[name]) && Object.keys(block[name]).some((member) => !known.includes(member)),
  );

/** Whether the block has members that the part does not hold. */
const hasExtraMembers = (members: Members, block: JsonObject, part: Part): boolean =>
  (part.type === 'text' && block['type'] !== 'text') ||
  hasUnknownInnerMembers(block) ||
  Object.entries(members.unread()).some(([name, value]) => !isDefaultMember(name, value));

/**
 * Decodes one content block. Unknown types, and those of tools that run at the vendor, stay opaque.
 * @throws GatewayError 400 that names the missing or invalid member
 */
export function decodeBlock(value: unknown, path: string, reader: BlockDecoding, place: string): Part {
  const members = readMembers(value, path);
  const type = members.requiredString('type');
  const decode = lookUp(decoders, type);
  if (decode === undefined || !isObject(value)) return { type: 'opaque', wire: WIRE, value };
  const part = decode(members, { reader, place, block: value });
  if (hasExtraMembers(members, value, part)) reader.keep(place, value);
  return part;
}

/** Decodes content: a string or a list of blocks. */
export function decodeContent(content: unknown, path: string, reader: BlockDecoding, parent = ''): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalidRequest(path, `'${path}' must be a string or an array of content blocks.`);
  return content.map((block: unknown, index) =>
    decodeBlock(block, `${path}[${index}]`, reader, blockPath(index, parent)),
  );
}
