import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  isObject,
  type InboundRequest,
  type NativePlan,
  type Origin,
  readText,
  type TargetProfile,
} from '../../../../core/api/codec.ts';
import { resourceName } from '../../models.ts';
import { readSignature } from '../carried-reasoning.ts';
import { readRepeated } from '../shape.ts';
import { createTap } from './response/tap.ts';

/** The vendor's JSON mapper accepts both spellings. */
const spellings = ['thoughtSignature', 'thought_signature'] as const;

export const isSameOrigin = (made: Origin, origin: Origin): boolean =>
  made.provider === origin.provider && made.family === origin.family;

/** What is left without its proof has no use: a thought of another vendor's model, or an empty text. */
const isDisposable = (part: JsonObject): boolean =>
  part['thought'] === true || part['text'] === '' || Object.keys(part).length === 0;

/**
 * Returns the part with its proof unsealed, `undefined` if nothing is left of it, and the same object if it has no
 * sealed proof.
 */
const unsealPart = (part: JsonObject, origin: Origin): JsonObject | undefined => {
  const member = spellings.find((name) => readText(part[name]) !== '');
  if (member === undefined) return part;
  const { proof } = readSignature(readText(part[member]));
  if (proof !== undefined && proof.origin === undefined) return part;
  if (proof?.origin !== undefined && isSameOrigin(proof.origin, origin)) return { ...part, [member]: proof.value };
  const { [member]: _sealed, ...others } = part;
  return isDisposable(others) ? undefined : others;
};

const unsealContent = (content: unknown, origin: Origin): unknown => {
  if (!isObject(content)) return content;
  const parts = readRepeated(content['parts']);
  const freed = parts.flatMap((part) => (isObject(part) ? (unsealPart(part, origin) ?? []) : [part]));
  const changed = freed.length !== parts.length || freed.some((part, index) => part !== parts[index]);
  if (!changed) return content;
  return freed.length === 0 ? undefined : { ...content, parts: freed };
};

/**
 * The contents with the proofs that `origin` can read; `undefined` if they have no sealed proof and can be sent
 * unchanged.
 */
function unsealContents(contents: unknown, origin: Origin): readonly unknown[] | undefined {
  const listed = readRepeated(contents);
  const freed = listed.map((content) => unsealContent(content, origin));
  return freed.some((content, index) => content !== listed[index])
    ? freed.filter((content) => content !== undefined)
    : undefined;
}

/**
 * The client's bytes. The path has the model and the stream flag, so only sealed proofs are edited: unsealed for their
 * own provider, removed for any other.
 */
export function native(
  { body }: InboundRequest,
  _request: GenerateRequest,
  { origin, model, billsOneSearch }: TargetProfile,
): NativePlan {
  const members = isObject(body) ? body : {};
  const contents = unsealContents(members['contents'], origin);
  return {
    edits: [
      ...(contents === undefined ? [] : [{ member: 'contents', value: contents }]),
      ...('model' in members ? [{ member: 'model', value: resourceName(model) }] : []),
    ],
    headers: {},
    tap: () => createTap(billsOneSearch),
  };
}
