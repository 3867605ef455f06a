import type { Part, Turn } from '../../../../core/api/index.ts';
import { isObject, type Lose } from '../../../../core/api/codec.ts';
import { parseCallInput } from '../../../../core/api/internal.ts';
import { WIRE, writeCachePoint, type Block } from '../shape.ts';
import { encodeMedia, type NameDocument } from './media.ts';

/** What encoding the parts of one turn needs. */
export interface PartEncoding {
  readonly role: Turn['role'];
  /** Prefix of the field names of losses: `messages[2].`. */
  readonly path: string;
  readonly lose: Lose;
  readonly nameDocument: NameDocument;
  /** A legal id for the id of a call. */
  readonly callId: (id: string) => string;
}
interface PartContext extends PartEncoding {
  readonly place: string;
}
type Encoders = {
  readonly [K in Part['type']]: (part: Extract<Part, { type: K }>, context: PartContext) => Block | undefined;
};

/** The vendor refuses blank texts. */
const encodeText = (text: string, { path, place, lose }: PartContext): Block | undefined => {
  if (text.trim() !== '') return { text };
  if (text !== '') lose(path + place, 'dropped', 'bedrock-converse refuses blank text');
  return undefined;
};

const encoders: Encoders = {
  text: ({ text, citations = [], proof }, context) => {
    const { path, place, lose } = context;
    if (citations.length > 0) lose(`${path}${place}.citations`, 'dropped', 'citations are not sent back');
    if (proof !== undefined) lose(`${path}${place}.proof`, 'dropped', 'bedrock-converse has no signature on text');
    return encodeText(text, context);
  },
  refusal: ({ text }, context) => encodeText(text, context),
  media: (part, { role, path, place, lose, nameDocument }) => {
    if (role === 'user') return encodeMedia(part, path + place, nameDocument, lose);
    lose(path + place, 'dropped', 'bedrock-converse accepts media in user turns only');
    return undefined;
  },
  reasoning: ({ text, redacted, proof }, { path, place, lose }) => {
    if (proof === undefined) {
      lose(path + place, 'dropped', 'bedrock-converse takes reasoning back only with its signature');
      return undefined;
    }
    return redacted === true
      ? { reasoningContent: { redactedContent: proof.value } }
      : { reasoningContent: { reasoningText: { text, signature: proof.value } } };
  },
  'tool-call': ({ id, name, kind, input, proof }, { path, place, lose, callId }) => {
    if (proof !== undefined) lose(`${path}${place}.proof`, 'dropped', 'bedrock-converse has no signature on calls');
    return {
      toolUse: {
        toolUseId: callId(id),
        name,
        input: kind === 'custom' ? { input } : parseCallInput(input, `${path}${place}.input`, lose),
      },
    };
  },
  'tool-result': ({ id, failed, parts }, context) => ({
    toolResult: {
      toolUseId: context.callId(id),
      content: encodeParts(parts, { ...context, role: 'user' }, `${context.place}.`),
      ...(failed ? { status: 'error' } : {}),
    },
  }),
  opaque: ({ wire, value }, { path, place, lose }) => {
    if (wire === WIRE && isObject(value)) return value;
    lose(path + place, 'dropped', `bedrock-converse has no such part of ${wire}`);
    return undefined;
  },
};

const encodePart = <K extends Part['type']>(
  part: Extract<Part, { type: K }>,
  context: PartContext,
): Block | undefined => encoders[part.type as K](part, context);

/** Encodes parts as blocks, without those that the wire refuses. A cache mark is a block of its own, after its part. */
export const encodeParts = (parts: readonly Part[], encoding: PartEncoding, parent = ''): Block[] =>
  parts.flatMap((part, index) => {
    const block = encodePart(part, { ...encoding, place: `${parent}content[${index}]` });
    return block === undefined ? [] : [block, ...writeCachePoint(part.cache)];
  });
