import { isObject, type JsonObject, type Origin, readText, unsealProof } from '../../../../../core/index.ts';
import { readRepeated } from '../../shape.ts';

/** The vendor's JSON mapper takes both spellings. */
const spellings = ['thoughtSignature', 'thought_signature'] as const;

const isSameOrigin = (made: Origin, origin: Origin): boolean =>
  made.provider === origin.provider && made.family === origin.family;

/** Words of nobody: a thought that another vendor's model had, or a text that was only there for its signature. */
const isDisposable = (part: JsonObject): boolean =>
  part['thought'] === true || part['text'] === '' || Object.keys(part).length === 0;

/** The part as the vendor may see it, `undefined` when nothing is left of it, and the same object when nothing in it was sealed. */
const unsealPart = (part: JsonObject, origin: Origin): JsonObject | undefined => {
  const member = spellings.find((name) => readText(part[name]) !== '');
  if (member === undefined) return part;
  const proof = unsealProof(readText(part[member]));
  if (proof.origin === undefined) return part;
  if (isSameOrigin(proof.origin, origin)) return { ...part, [member]: proof.value };
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

/** The contents for this target, or `undefined` when they hold no proof that we sealed and may go as they came. */
export function unsealContents(contents: unknown, origin: Origin): readonly unknown[] | undefined {
  const listed = readRepeated(contents);
  const freed = listed.map((content) => unsealContent(content, origin));
  return freed.some((content, index) => content !== listed[index])
    ? freed.filter((content) => content !== undefined)
    : undefined;
}
