import {
  invalidRequest,
  type JsonObject,
  type Media,
  type Part,
  type ToolResultPart,
  type Turn,
} from '../../../../../core/api/index.ts';
import { isObject, type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { type CarriedReasoning, readSignature, type Signature } from '../../carried-reasoning.ts';
import { partPath, prefixPaths } from '../../extra-members.ts';
import { NO_SIGNATURE, WIRE } from '../../shape.ts';
import type { CallIds } from './call-ids.ts';
import { decodeFileData, decodeInlineData } from './media.ts';
import { readItems } from './wire-members.ts';

/** What decoding the parts of one request needs. */
export interface PartDecoding {
  readonly ids: CallIds;
  /** Counts an image against the image limits of the request. */
  measure(base64: string, path: string): void;
}
export interface DecodedPart {
  readonly part: Part;
  /** Members that the canonical part cannot hold. */
  readonly extra: JsonObject;
  /** Reasoning before the part, which its signature carries. */
  readonly carried?: readonly CarriedReasoning[];
}
interface PartContext {
  readonly members: Members;
  readonly role: Turn['role'];
  readonly reader: PartDecoding;
}
/** @param data the member that holds the data of the part */
type Decode = (data: Members, context: PartContext) => DecodedPart;

/**
 * Clients without a signature send one of these placeholders: as text, or as base64, since the member is declared as
 * bytes.
 */
const placeholders: ReadonlySet<string> = new Set(['', NO_SIGNATURE, Buffer.from(NO_SIGNATURE).toString('base64')]);

const readProof = (members: Members): Signature => {
  const signature = members.string('thoughtSignature');
  if (signature === undefined || placeholders.has(signature)) return { carried: [] };
  return readSignature(signature);
};

/** The unknown members of the part, and those of its data under their path. */
const collectExtra = (members: Members, name: string, data: Members): JsonObject => ({
  ...members.unread(),
  ...prefixPaths(name, data.unread()),
});

const checkRole = ({ members, role }: PartContext, name: string, wanted: Turn['role'], word: string): void => {
  if (role !== wanted)
    throw invalidRequest(members.at(name), `'${members.at(name)}' belongs in a content of role '${word}'.`);
};

/** @param at the member that holds the bytes */
const measureImage = (media: Media, at: string, { reader }: PartContext): void => {
  if ('base64' in media && media.mediaType.startsWith('image/')) reader.measure(media.base64, at);
};

const decodeInline: Decode = (data, context) => {
  const media = decodeInlineData(data);
  measureImage(media, data.at('data'), context);
  return { part: { type: 'media', media }, extra: collectExtra(context.members, 'inlineData', data) };
};

const decodeFile: Decode = (data, context) => {
  const media = decodeFileData(data);
  measureImage(media, data.at('fileUri'), context);
  return {
    part: { type: 'media', media },
    extra: collectExtra(context.members, 'base64' in media ? 'inlineData' : 'fileData', data),
  };
};

const decodeCall: Decode = (data, context) => {
  checkRole(context, 'functionCall', 'assistant', 'model');
  const name = data.requiredString('name');
  const id = context.reader.ids.call(name, data.string('id') || undefined);
  const input = JSON.stringify(data.rawObject('args') ?? {});
  const { carried, ...proof } = readProof(context.members);
  return {
    part: { type: 'tool-call', id, name, kind: 'function', input, ...proof },
    extra: collectExtra(context.members, 'functionCall', data),
    ...(carried.length === 0 ? {} : { carried }),
  };
};

const textOf = (value: unknown): readonly Part[] => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' ? [] : [{ type: 'text', text }];
};

/**
 * `output` holds the result of a function, `error` its failure; without either, the whole object is the result.
 * https://ai.google.dev/api/caching#FunctionResponse
 */
function decodeResult(response: unknown = {}): Pick<ToolResultPart, 'failed' | 'parts'> {
  const names = isObject(response) ? Object.keys(response) : [];
  const value = (name: string): unknown => (isObject(response) ? (response[name] ?? undefined) : undefined);
  const failed = value('error') !== undefined && value('output') === undefined;
  const only = names.length === 1 ? (value('output') ?? value('error')) : undefined;
  return { failed, parts: textOf(only ?? response) };
}

const decodeResponse: Decode = (data, context) => {
  checkRole(context, 'functionResponse', 'user', 'user');
  const name = data.string('name') || undefined;
  const id = context.reader.ids.result(name, data.string('id') || undefined, data.path);
  const { failed, parts } = decodeResult(data.rawObject('response'));
  const inner = readItems(data, 'parts').map((part) => decodePart(part, 'user', context.reader));
  const media = inner.map(({ part }) => part);
  const result: Part = omitUndefined({ type: 'tool-result', id, name, failed, parts: [...parts, ...media] });
  const extra = collectExtra(context.members, 'functionResponse', data);
  inner.forEach((one, index) => {
    Object.assign(extra, prefixPaths(`functionResponse.${partPath(index)}`, one.extra));
  });
  return { part: result, extra };
};

const decoders: readonly (readonly [name: string, decode: Decode])[] = [
  ['functionCall', decodeCall],
  ['functionResponse', decodeResponse],
  ['inlineData', decodeInline],
  ['fileData', decodeFile],
];

const decodeText = (members: Members): Part => {
  const text = members.string('text') ?? '';
  const { carried: _carried, ...proof } = readProof(members);
  if (members.boolean('thought') !== true) return { type: 'text', text, ...proof };
  return { type: 'reasoning', text, ...(proof.proof?.redacted === true ? { redacted: true } : {}), ...proof };
};

const besideData: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'thought_signature']);

/**
 * Decodes one part. Unknown kinds, and those of tools that run at the vendor, stay opaque.
 * https://ai.google.dev/api/caching#Part
 * @throws GatewayError 400 that names the missing or invalid member
 */
export function decodePart(members: Members, role: Turn['role'], reader: PartDecoding): DecodedPart {
  for (const [name, decode] of decoders) {
    const data = members.object(name);
    if (data !== undefined) return decode(data, { members, role, reader });
  }
  if (members.has('text')) return { part: decodeText(members), extra: members.unread() };
  const all = members.unread();
  const names = Object.keys(all);
  if (names.length === 0)
    throw invalidRequest(
      members.path,
      `'${members.path}' is empty: a part holds text, inlineData, fileData, functionCall or functionResponse.`,
    );
  return names.every((name) => besideData.has(name))
    ? { part: decodeText(members), extra: {} }
    : { part: { type: 'opaque', wire: WIRE, value: all }, extra: {} };
}
