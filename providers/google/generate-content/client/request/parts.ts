import {
  invalidRequest,
  type JsonObject,
  type Media,
  type Members,
  omitUndefined,
  type Part,
  type Proof,
  type Turn,
  unsealProof,
} from '../../../../../core/index.ts';
import { under } from '../../kept.ts';
import { NO_SIGNATURE, WIRE } from '../../shape.ts';
import type { CallIds } from './call-ids.ts';
import { decodeFileData, decodeInlineData } from './media.ts';
import { readItems } from './spelling.ts';
import { decodeResult } from './tool-result.ts';

/** What the parts of one request are read with. */
export interface PartReader {
  readonly ids: CallIds;
  /** Weighs an image against the limits of the request. */
  measure(base64: string, path: string): void;
}
export interface DecodedPart {
  readonly part: Part;
  /** What the part says beyond the canonical form; empty when it says nothing more. */
  readonly kept: JsonObject;
}
/** Where a part stands. */
interface Spot {
  readonly members: Members;
  readonly role: Turn['role'];
  readonly reader: PartReader;
}
/** @param data the object that holds the part's data */
type Decode = (data: Members, spot: Spot) => DecodedPart;

/** What clients write who have no signature, plain or as the bytes that the member is declared to hold. */
const placeholders: ReadonlySet<string> = new Set(['', NO_SIGNATURE, Buffer.from(NO_SIGNATURE).toString('base64')]);

const readProof = (members: Members): { readonly proof?: Proof } => {
  const signature = members.string('thoughtSignature');
  return signature === undefined || placeholders.has(signature) ? {} : { proof: unsealProof(signature) };
};

/** The unread members of the part, and those of its data under its name. */
const leftover = (members: Members, name: string, data: Members): JsonObject => ({
  ...members.unread(),
  ...under(name, data.unread()),
});

const checkRole = ({ members, role }: Spot, name: string, wanted: Turn['role'], word: string): void => {
  if (role !== wanted)
    throw invalidRequest(members.at(name), `'${members.at(name)}' belongs into a content of role '${word}'.`);
};

/** @param at the member that holds the bytes */
const measureImage = (media: Media, at: string, { reader }: Spot): void => {
  if ('base64' in media && media.mediaType.startsWith('image/')) reader.measure(media.base64, at);
};

const decodeInline: Decode = (data, spot) => {
  const media = decodeInlineData(data);
  measureImage(media, data.at('data'), spot);
  return { part: { type: 'media', media }, kept: leftover(spot.members, 'inlineData', data) };
};

const decodeFile: Decode = (data, spot) => {
  const media = decodeFileData(data);
  measureImage(media, data.at('fileUri'), spot);
  return {
    part: { type: 'media', media },
    kept: leftover(spot.members, 'base64' in media ? 'inlineData' : 'fileData', data),
  };
};

const decodeCall: Decode = (data, spot) => {
  checkRole(spot, 'functionCall', 'assistant', 'model');
  const name = data.requiredString('name');
  const id = spot.reader.ids.call(name, data.string('id') || undefined);
  const input = JSON.stringify(data.rawObject('args') ?? {});
  return {
    part: { type: 'tool-call', id, name, kind: 'function', input, ...readProof(spot.members) },
    kept: leftover(spot.members, 'functionCall', data),
  };
};

const decodeResponse: Decode = (data, spot) => {
  checkRole(spot, 'functionResponse', 'user', 'user');
  const name = data.string('name') || undefined;
  const id = spot.reader.ids.result(name, data.string('id') || undefined, data.path);
  const { failed, parts } = decodeResult(data.rawObject('response'));
  const media = readItems(data, 'parts').map((part) => decodePart(part, 'user', spot.reader).part);
  const result: Part = omitUndefined({
    type: 'tool-result',
    id,
    name,
    failed,
    parts: [...parts, ...media],
  });
  return { part: result, kept: leftover(spot.members, 'functionResponse', data) };
};

const decoders: readonly (readonly [name: string, decode: Decode])[] = [
  ['functionCall', decodeCall],
  ['functionResponse', decodeResponse],
  ['inlineData', decodeInline],
  ['fileData', decodeFile],
];

const decodeText = (members: Members): Part => {
  const text = members.string('text') ?? '';
  const proof = readProof(members);
  if (members.boolean('thought') !== true) return { type: 'text', text, ...proof };
  return { type: 'reasoning', text, ...(proof.proof?.redacted === true ? { redacted: true } : {}), ...proof };
};

const besideData: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'thought_signature']);

/**
 * One part as a canonical part. Kinds that this version does not know, and those of tools that run at the vendor, stay opaque.
 * https://ai.google.dev/api/caching#Part
 * @throws GatewayError 400 naming the member that is missing or wrong
 */
export function decodePart(members: Members, role: Turn['role'], reader: PartReader): DecodedPart {
  for (const [name, decode] of decoders) {
    const data = members.object(name);
    if (data !== undefined) return decode(data, { members, role, reader });
  }
  if (members.has('text')) return { part: decodeText(members), kept: members.unread() };
  const all = members.unread();
  const names = Object.keys(all);
  if (names.length === 0)
    throw invalidRequest(
      members.path,
      `'${members.path}' is empty: a part holds text, inlineData, fileData, functionCall or functionResponse.`,
    );
  return names.every((name) => besideData.has(name))
    ? { part: decodeText(members), kept: {} }
    : { part: { type: 'opaque', wire: WIRE, value: all }, kept: {} };
}
