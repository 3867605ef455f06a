import type { BodyEdit } from '../contracts/codec.ts';
import { invalidRequest } from '../errors.ts';
import type { JsonLayout, JsonMember } from '../framing/json-layout.ts';

/** Bytes of the body that give way to a text. */
interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A removed member takes a comma with it: the one before it where a member stays before it, else the one behind. */
const removeMembers = (members: readonly JsonMember[], removes: (name: string) => boolean): Patch[] => {
  let kept = false;
  return members.flatMap((member, index) => {
    if (!removes(member.name)) {
      kept = true;
      return [];
    }
    const start = kept ? (members[index - 1]?.end ?? member.start) : member.start;
    const end = kept ? member.end : (members[index + 1]?.start ?? member.end);
    return [{ start, end, text: '' }];
  });
};

const applyPatches = (raw: Uint8Array, patches: readonly Patch[]): Uint8Array => {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of patches) {
    pieces.push(raw.subarray(at, start));
    if (text !== '') pieces.push(Buffer.from(text));
    at = end;
  }
  pieces.push(raw.subarray(at));
  return Buffer.concat(pieces);
};

/**
 * The body with some top-level members replaced, added or (value `undefined`) removed; every other byte stays as it came: order of keys,
 * white space, 1e400, 64-bit integers, escapes. A repeated member is edited everywhere it stands. Without an effective edit the same bytes come back.
 */
export const spliceBody = (raw: Uint8Array, layout: JsonLayout, edits: readonly BodyEdit[]): Uint8Array => {
  if (edits.length === 0) return raw;
  const { members, close } = layout;
  if (close === -1) throw invalidRequest('', 'The body must be a JSON object.');
  const wanted = new Map(edits.map(({ member, value }) => [member, JSON.stringify(value) as string | undefined]));
  const removes = (name: string): boolean => wanted.has(name) && wanted.get(name) === undefined;
  const patches: Patch[] = removeMembers(members, removes);
  for (const { name, valueStart, end } of members) {
    const text = wanted.get(name);
    if (text !== undefined) patches.push({ start: valueStart, end, text });
  }
  const present = new Set(members.map(({ name }) => name));
  const added = [...wanted].filter(([name, text]) => text !== undefined && !present.has(name)).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  patches.sort((a, b) => a.start - b.start);
  if (added.length > 0) {
    const at = members.at(-1)?.end ?? close;
    const comma = members.every(({ name }) => removes(name)) ? '' : ',';
    patches.push({ start: at, end: at, text: comma + added.join(',') });
  }
  return patches.length === 0 ? raw : applyPatches(raw, patches);
};
