import type { BodyEdit, ResponseEdit } from '../../contracts/native.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { readJsonLayout, type JsonLayout, type JsonMember } from '../../framing/json-layout.ts';

/** A range of the body that is replaced by a text. */
interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

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
 * The patches for members that are in the body, in their order. A removed member takes a comma with it: the one before
 * it if an earlier member is kept, else the one after it.
 */
const patchMembers = (members: readonly JsonMember[], wanted: ReadonlyMap<string, string | undefined>): Patch[] => {
  const patches: Patch[] = [];
  let kept = false;
  for (let index = 0; index < members.length; index += 1) {
    const member = members[index];
    if (member === undefined) break;
    const { name, start, valueStart, end } = member;
    const text = wanted.get(name);
    if (text !== undefined) patches.push({ start: valueStart, end, text });
    if (text !== undefined || !wanted.has(name)) kept = true;
    else if (kept) patches.push({ start: members[index - 1]?.end ?? start, end, text: '' });
    else patches.push({ start, end: members[index + 1]?.start ?? end, text: '' });
  }
  return patches;
};

/** The patch that adds the members that the body does not have yet, after its last member. */
const addMembers = (
  { members, close }: JsonLayout,
  wanted: ReadonlyMap<string, string | undefined>,
): Patch | undefined => {
  let added = '';
  for (const [name, text] of wanted) {
    if (text === undefined || members.some((member) => member.name === name)) continue;
    added += `${added === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  if (added === '') return undefined;
  const at = members.at(-1)?.end ?? close;
  const isAlone = members.every(({ name }) => wanted.has(name) && wanted.get(name) === undefined);
  return { start: at, end: at, text: isAlone ? added : `,${added}` };
};

/**
 * Returns the body with top-level members replaced, added or, with the value `undefined`, removed. Every other byte
 * stays: order of members, white space, 1e400, 64-bit integers, escapes. A repeated member is edited at each place.
 * @returns the same buffer if no edit has an effect
 * @throws GatewayError `invalid_request` if the body is not an object
 * @example
 * spliceBody(Buffer.from('{"model":"a", "x":1}'), layout, [{ member: 'model', value: 'b' }]); // {"model":"b", "x":1}
 */
export function spliceBody(raw: Uint8Array, layout: JsonLayout, edits: readonly BodyEdit[]): Uint8Array {
  if (edits.length === 0) return raw;
  if (layout.close === -1) throw invalidRequest('', 'The body must be a JSON object.');
  const wanted = new Map<string, string | undefined>();
  for (const { member, value } of edits) wanted.set(member, JSON.stringify(value));
  const patches = patchMembers(layout.members, wanted);
  const addition = addMembers(layout, wanted);
  if (addition !== undefined) patches.push(addition);
  return patches.length === 0 ? raw : applyPatches(raw, patches);
}

/** Edits the object in a top-level member. Without such a member there is nothing to edit. */
const spliceMember = (raw: Uint8Array, name: string, edits: readonly BodyEdit[]): Uint8Array => {
  const member = readJsonLayout(raw).members.find((found) => found.name === name);
  if (member === undefined) return raw;
  const value = raw.subarray(member.valueStart, member.end);
  const edited = spliceBody(value, readJsonLayout(value), edits);
  return Buffer.concat([raw.subarray(0, member.valueStart), edited, raw.subarray(member.end)]);
};

/** The same for a body or frame of a response, in which edits can be one object deeper. */
export function spliceResponse(raw: Uint8Array, edits: readonly ResponseEdit[]): Uint8Array {
  let spliced = raw;
  for (const [of, inside] of Map.groupBy(edits, (edit) => edit.of))
    spliced =
      of === undefined ? spliceBody(spliced, readJsonLayout(spliced), inside) : spliceMember(spliced, of, inside);
  return spliced;
}
