import type { JsonObject, MediaPart, Part, ToolResultPart, Turn } from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined, type Proof, readObjects } from '../../../../../core/api/codec.ts';
import { parseCallInput, parseShallow } from '../../../../../core/api/internal.ts';
import { mergeMembers, nestPath, partPath, splitTurnExtra } from '../../extra-members.ts';
import { WIRE, type WirePart } from '../../shape.ts';

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

/** A wildcard type is omitted: the vendor detects the type. */
const mimeTypeOf = ({ mediaType }: MediaPart['media']): string | undefined =>
  mediaType === '' || mediaType.includes('*') ? undefined : mediaType;

const inlineType = ({ media }: MediaPart): string =>
  media.mediaType === 'image/jpg' ? 'image/jpeg' : (mimeTypeOf(media) ?? 'application/octet-stream');

/**
 * Encodes bytes inline, and URLs and file ids by reference. Only clients of this wire send a display name.
 * https://ai.google.dev/api/caching#FileData
 */
function encodeMedia(part: MediaPart, { path, wire, lose }: Omit<PartContext, 'names'>): WirePart {
  const { media, name, detail } = part;
  const displayName = wire === WIRE ? name : undefined;
  if (detail !== undefined && detail !== 'auto')
    lose(`${path}.detail`, 'dropped', 'generate-content has no resolution hint for one part');
  if (name !== displayName) lose(`${path}.name`, 'dropped', 'generate-content has no file names');
  if ('base64' in media)
    return { inlineData: omitUndefined({ mimeType: inlineType(part), data: media.base64, displayName }) };
  return {
    fileData: omitUndefined({
      mimeType: mimeTypeOf(media),
      fileUri: 'url' in media ? media.url : media.fileId,
      displayName,
    }),
  };
}

/** Keys with a meaning for the vendor. An object with one of them is nested, so that it is read as data. */
const reserved = ['output', 'error'] as const;
/** A number that JSON parsing would round. */
const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16,}/;

/** Anywhere in a result, the vendor takes it for a reference to media: https://github.com/vercel/ai/issues/14369 */
const REFERENCE = /"\$ref"\s*:/;

/**
 * The result of a tool as the object that the wire requires: a JSON object as itself, everything else under `output`.
 * JSON with a `$ref` is sent as text.
 * https://ai.google.dev/api/caching#FunctionResponse
 */
const encodeOutput = (text: string): JsonObject => {
  const value = LONG_NUMBER.test(text) || REFERENCE.test(text) ? undefined : parseShallow(text);
  if (value === undefined || typeof value === 'string') return { output: text };
  if (!isObject(value))
    return { output: typeof value === 'object' || JSON.stringify(value) === text.trim() ? value : text };
  return reserved.some((key) => Object.hasOwn(value, key)) ? { output: value } : value;
};

/**
 * Encodes a result of the function `name`, with its media next to the response.
 * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
 */
function encodeResult(
  { id, failed, parts }: ToolResultPart,
  name: string,
  { path, wire, lose }: PartContext,
): WirePart {
  const texts: string[] = [];
  const media: WirePart[] = [];
  parts.forEach((part, index) => {
    const place = `${path}.parts[${index}]`;
    if (part.cache !== undefined) lose(`${place}.cache`, 'dropped', 'generate-content has no cache marks');
    if (part.type === 'text' || part.type === 'refusal') texts.push(part.text);
    else if (part.type === 'media') media.push(encodeMedia(part, { path: place, wire, lose }));
    else lose(place, 'dropped', 'the result of a function holds text and media');
  });
  const text = texts.join('\n');
  return {
    functionResponse: {
      id,
      name,
      response: failed ? { error: text } : encodeOutput(text),
      ...(media.length === 0 ? {} : { parts: media }),
    },
  };
}

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
