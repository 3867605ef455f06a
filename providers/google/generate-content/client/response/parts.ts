import type { JsonObject, Media, Part } from '../../../../../core/api/index.ts';
import { isObject, sealProof, type Lose, type Proof } from '../../../../../core/api/codec.ts';
import { parseCallInput } from '../../../../../core/api/internal.ts';
import type { ReasoningCarrier } from '../../carried-reasoning.ts';
import { WIRE, type WirePart } from '../../shape.ts';
import { readQueries } from '../../web-search.ts';

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
  // What was searched for is part of the grounding metadata.
  if (readQueries(part) !== undefined) return [];
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
  readonly carrier: ReasoningCarrier;
}
type Writers = {
  readonly [K in Part['type']]: (part: Extract<Part, { type: K }>, options: WriteOptions) => readonly WirePart[];
};

const signed = (part: WirePart, text: string, proof: Proof | undefined): readonly WirePart[] =>
  text === '' && proof === undefined ? [] : [{ ...part, text, ...encodeSignature(proof) }];

const passText = (text: string, carrier: ReasoningCarrier): void => {
  if (text !== '') carrier.pass(true);
};

const passParts = (parts: readonly WirePart[], carrier: ReasoningCarrier): readonly WirePart[] => {
  if (parts.length > 0) carrier.pass(false);
  return parts;
};

const writers: Writers = {
  text: ({ text, proof }, { carrier }) => {
    passText(text, carrier);
    return signed({}, text, proof);
  },
  refusal: ({ text }, { carrier }) => {
    passText(text, carrier);
    return signed({}, text, undefined);
  },
  reasoning: ({ text, proof }, { show, carrier }) => {
    carrier.add(text, proof);
    return signed({ thought: true }, show ? text : '', proof);
  },
  'tool-call': (call, { lose, carrier }) => [encodeCall({ ...call, proof: carrier.sign(call.proof) }, lose)],
  media: ({ media }, { carrier }) => passParts([encodeMedia(media)], carrier),
  'tool-result': () => [],
  opaque: (part, { lose, carrier }) => passParts(encodeOpaque(part, lose), carrier),
};

/** Encodes a part of a response as at most one part of this wire. */
export const encodePart = <K extends Part['type']>(
  part: Extract<Part, { type: K }>,
  options: WriteOptions,
): readonly WirePart[] => writers[part.type as K](part, options);
