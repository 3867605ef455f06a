import type { JsonObject, Media, Part } from '../../../../../core/api/index.ts';
import { isObject, sealProof, type Lose, type Proof } from '../../../../../core/api/codec.ts';
import { parseCallInput } from '../../call-input.ts';
import { WIRE, type WirePart } from '../../shape.ts';

export const encodeSignature = (proof: Proof | undefined): JsonObject =>
  proof === undefined ? {} : { thoughtSignature: sealProof(proof) };

export const encodeMedia = (media: Media): WirePart =>
  'base64' in media
    ? { inlineData: { mimeType: media.mediaType, data: media.base64 } }
    : { fileData: { mimeType: media.mediaType, fileUri: 'url' in media ? media.url : media.fileId } };

interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly kind: 'function' | 'custom';
  readonly input: string;
  readonly proof?: Proof | undefined;
}

/** Calls are always whole on this wire. */
export const encodeCall = ({ id, name, kind, input, proof }: WrittenCall, lose: Lose): WirePart => ({
  functionCall: { id, name, args: kind === 'custom' ? { input } : parseCallInput(input, 'functionCall.args', lose) },
  ...encodeSignature(proof),
});

/** Restores a part of this wire; parts of other wires are lost. */
export function encodeOpaque(part: unknown, lose: Lose): readonly WirePart[] {
  if (isObject(part) && part['wire'] === WIRE && isObject(part['value'])) return [part['value']];
  lose(
    'content',
    'dropped',
    `generate-content has no such part of ${isObject(part) ? String(part['wire']) : 'the provider'}`,
  );
  return [];
}

interface WriteOptions {
  readonly lose: Lose;
  /** False: thoughts are billed, but their text is not sent. Their signature is: the next turn needs it. */
  readonly show: boolean;
}
type Writers = {
  readonly [K in Part['type']]: (part: Extract<Part, { type: K }>, options: WriteOptions) => readonly WirePart[];
};

const signed = (part: WirePart, text: string, proof: Proof | undefined): readonly WirePart[] =>
  text === '' && proof === undefined ? [] : [{ ...part, text, ...encodeSignature(proof) }];

const writers: Writers = {
  text: ({ text, proof }) => signed({}, text, proof),
  refusal: ({ text }) => signed({}, text, undefined),
  reasoning: ({ text, proof }, { show }) => signed({ thought: true }, show ? text : '', proof),
  'tool-call': (call, { lose }) => [encodeCall(call, lose)],
  media: ({ media }) => [encodeMedia(media)],
  'tool-result': () => [],
  opaque: (part, { lose }) => encodeOpaque(part, lose),
};

/** Encodes a part of a response as at most one part of this wire. */
export const encodePart = <K extends Part['type']>(
  part: Extract<Part, { type: K }>,
  options: WriteOptions,
): readonly WirePart[] => writers[part.type as K](part, options);
