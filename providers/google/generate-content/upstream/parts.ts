import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, type Lose, type Part, type Proof, type Turn } from '../../../../core/index.ts';
import { partPath } from '../kept.ts';
import { WIRE, type WirePart } from '../shape.ts';
import { encodeInput } from './input.ts';
import { encodeMedia } from './media.ts';
import { encodeResult } from './result.ts';

/** What the parts of one turn are written with. */
export interface PartWriter {
  /** Names of functions by the ids of their calls: a result is refused without one. */
  readonly names: ReadonlyMap<string, string>;
  /** Parts of the client that say more than the canonical ones. */
  readonly kept: JsonObject;
  /** As losses name the turn: `contents[2]`. */
  readonly path: string;
  readonly lose: Lose;
}
interface Place {
  readonly path: string;
  readonly names: PartWriter['names'];
  readonly lose: Lose;
}
type Encoders = { readonly [K in Part['type']]: (part: Extract<Part, { type: K }>, place: Place) => WirePart | undefined };

const signature = (proof: Proof | undefined): JsonObject => (proof === undefined ? {} : { thoughtSignature: proof.value });

const encoders: Encoders = {
  text: ({ text, citations, proof }, { path, lose }) => {
    if (citations !== undefined) lose(`${path}.citations`, 'dropped', 'generate-content takes no citations back');
    return text === '' && proof === undefined ? undefined : { text, ...signature(proof) };
  },
  refusal: ({ text }) => (text === '' ? undefined : { text }),
  reasoning: ({ text, proof }) => (text === '' && proof === undefined ? undefined : { text, thought: true, ...signature(proof) }),
  media: (part, { path, lose }) => encodeMedia(part, path, lose),
  'tool-call': ({ id, name, kind, input, proof }, { path, lose }) => ({
    functionCall: { id, name, args: kind === 'custom' ? { input } : encodeInput(input, `${path}.input`, lose) },
    ...signature(proof),
  }),
  'tool-result': (part, { path, names, lose }) => {
    const name = names.get(part.id) ?? part.name;
    if (name !== undefined && name !== '') return encodeResult(part, name, path, lose);
    lose(path, 'approximated', 'a result whose call is not there became text: the wire wants the name of its function');
    const texts = part.parts.flatMap((inner) => (inner.type === 'text' ? [inner.text] : []));
    return { text: [`[tool result ${part.id}]`, ...(part.failed ? ['Error:'] : []), ...texts].join(' ') };
  },
  opaque: ({ wire, value }, { path, lose }) => {
    if (wire === WIRE && isObject(value)) return value;
    lose(path, 'dropped', `generate-content has no such part of ${wire}`);
    return undefined;
  },
};

const encodePart = <K extends Part['type']>(part: Extract<Part, { type: K }>, place: Place): WirePart | undefined => encoders[part.type as K](part, place);

const dataMembers = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'] as const;

/** Which of the client's members hold the same data, whatever a fit has done to the order of the turn. */
const isSame = (original: JsonObject, encoded: WirePart): boolean =>
  dataMembers.every((member) => {
    const [before, after] = [original[member], encoded[member]];
    if (!isObject(before) || !isObject(after)) return isDeepStrictEqual(before, after);
    return ['data', 'fileUri', 'name'].every((name) => before[name] === after[name]);
  });

/** The client's own part with what is written over it, two levels deep: a response keeps its `scheduling`, a file its `displayName`. */
const overlay = (original: JsonObject, encoded: WirePart): WirePart => {
  const inner = Object.entries(encoded).filter(([name, value]) => isObject(value) && isObject(original[name]));
  return { ...original, ...encoded, ...Object.fromEntries(inner.map(([name, value]) => [name, { ...(original[name] as JsonObject), ...(value as JsonObject) }])) };
};

const restore = (encoded: WirePart, original: unknown, { path, lose }: Place): WirePart => {
  if (!isObject(original)) return encoded;
  if (isSame(original, encoded)) return overlay(original, encoded);
  lose(path, 'approximated', 'the part was changed on the way, and lost members that only generate-content knows');
  return encoded;
};

/** Parts as the wire wants them: never an empty text, unless it carries a signature. */
export const encodeParts = ({ parts }: Turn, { names, kept, path: turn, lose }: PartWriter): readonly WirePart[] =>
  parts.flatMap((part, index) => {
    const place = { path: `${turn}.${partPath(index)}`, names, lose };
    if (part.cache !== undefined) lose(`${place.path}.cache`, 'dropped', 'generate-content has no cache marks');
    const encoded = encodePart(part, place);
    return encoded === undefined ? [] : [restore(encoded, kept[partPath(index)], place)];
  });
