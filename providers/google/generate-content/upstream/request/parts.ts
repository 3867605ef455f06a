import type { JsonObject, Part, Turn } from '../../../../../core/api/index.ts';
import { isObject, type Lose, type Proof, readObjects } from '../../../../../core/api/codec.ts';
import { parseCallInput } from '../../../../../core/api/internal.ts';
import { mergeMembers, nestPath, partPath, splitTurnExtra } from '../../extra-members.ts';
import { WIRE, type WirePart } from '../../shape.ts';
import { encodeMedia } from './media.ts';
import { encodeResult } from './tool-results.ts';

/** What encoding the parts of one turn needs. */
export interface PartEncoding {
  /** Function names by call id: the wire rejects a result without a name. */
  readonly names: ReadonlyMap<string, string>;
  /** The extra members of the turn's parts, by path. */
  readonly kept: ReadonlyMap<string, JsonObject>;
  /** The wire of the client. */
  readonly wire: string;
  /** The path of the turn in losses, e.g. `contents[2]`. */
  readonly path: string;
  readonly lose: Lose;
}
type PartContext = Omit<PartEncoding, 'kept'>;
type Encoders = {
  readonly [K in Part['type']]: (part: Extract<Part, { type: K }>, context: PartContext) => WirePart | undefined;
};

const signature = (proof: Proof | undefined): JsonObject =>
  proof === undefined ? {} : { thoughtSignature: proof.value };

const encoders: Encoders = {
  text: ({ text, citations, proof }, { path, lose }) => {
    if (citations !== undefined)
      lose(`${path}.citations`, 'dropped', 'generate-content accepts no citations in requests');
    return text === '' && proof === undefined ? undefined : { text, ...signature(proof) };
  },
  refusal: ({ text }) => (text === '' ? undefined : { text }),
  reasoning: ({ text, proof }) =>
    text === '' && proof === undefined ? undefined : { text, thought: true, ...signature(proof) },
  media: encodeMedia,
  'tool-call': ({ id, name, kind, input, proof }, { path, lose }) => ({
    functionCall: { id, name, args: kind === 'custom' ? { input } : parseCallInput(input, `${path}.input`, lose) },
    ...signature(proof),
  }),
  'tool-result': (part, context) => {
    const { path, names, lose } = context;
    const name = names.get(part.id) ?? part.name;
    if (name !== undefined && name !== '') return encodeResult(part, name, context);
    lose(path, 'approximated', 'a result without its call became text: the wire requires the name of its function');
    const texts = part.parts.flatMap((inner) => (inner.type === 'text' ? [inner.text] : []));
    return { text: [`[tool result ${part.id}]`, ...(part.failed ? ['Error:'] : []), ...texts].join(' ') };
  },
  opaque: ({ wire, value }, { path, lose }) => {
    if (wire === WIRE && isObject(value)) return value;
    lose(path, 'dropped', `generate-content has no such part of ${wire}`);
    return undefined;
  },
};

const encodePart = <K extends Part['type']>(
  part: Extract<Part, { type: K }>,
  context: PartContext,
): WirePart | undefined => encoders[part.type as K](part, context);

/** Members of a part that are objects and can have extra members. */
const dataNames: readonly string[] = ['functionCall', 'functionResponse', 'inlineData', 'fileData'];

/** Restores the extra members of a part, also those of the media in a result. */
const restoreMembers = (kept: Readonly<JsonObject>, encoded: WirePart): WirePart => {
  const { functionResponse, ...members } = dataNames.reduce(nestPath, kept);
  const merged = mergeMembers(members, encoded) ?? encoded;
  const result = merged['functionResponse'];
  if (!isObject(functionResponse) || !isObject(result)) return merged;
  const { parts, own } = splitTurnExtra(functionResponse);
  const media = readObjects(result['parts']).map((part, index) =>
    restoreMembers(parts.get(partPath(index)) ?? {}, part),
  );
  return { ...merged, functionResponse: { ...own, ...result, ...(media.length === 0 ? {} : { parts: media }) } };
};

/** Encodes the parts of a turn. An empty text is left out unless it has a signature. */
export const encodeParts = ({ parts }: Turn, { kept, ...writer }: PartEncoding): readonly WirePart[] =>
  parts.flatMap((part, index) => {
    const context = { ...writer, path: `${writer.path}.${partPath(index)}` };
    if (part.cache !== undefined)
      context.lose(`${context.path}.cache`, 'dropped', 'generate-content has no cache marks');
    const encoded = encodePart(part, context);
    if (encoded === undefined) return [];
    const beyond = kept.get(partPath(index));
    return [beyond === undefined ? encoded : restoreMembers(beyond, encoded)];
  });
