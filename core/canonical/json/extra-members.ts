import type { Lose } from '../loss.ts';
import type { JsonObject, WireName } from '../wire.ts';
import { isObject } from './members.ts';

/**
 * Extra members: members of one wire without a canonical counterpart. They are sent back on the same wire, and become
 * losses on another.
 */
export interface ExtraMembers {
  readonly wire: WireName;
  readonly members: Readonly<JsonObject>;
  /** Where a vendor's response has the members, as their losses name it: `candidates[0].`. */
  readonly place?: string;
  /** Members that are canonical in part: approximated on another wire. */
  readonly partial?: readonly string[];
  /** Members that the gateway itself handles in the response (echoed metadata): not a loss on another wire. */
  readonly honoured?: readonly string[];
  /** Members that group settings, each of which is a loss by its own name: `reasoning.mode`. */
  readonly groups?: readonly string[];
}

/**
 * The extra members to write on `wire`. For another wire the result is empty, and each member is reported as dropped
 * unless the gateway handles it.
 * @param path prefix of the field in losses, e.g. `messages[2].`, for members without a place
 */
export function writeExtraMembers(
  extra: ExtraMembers | undefined,
  wire: WireName,
  lose: Lose,
  path = '',
): Readonly<JsonObject> {
  if (extra === undefined) return {};
  if (extra.wire === wire) return extra.members;
  const { members, place = path, honoured, partial, groups } = extra;
  for (const [member, value] of Object.entries(members)) {
    if (honoured?.includes(member) === true) continue;
    if (partial?.includes(member) === true) {
      lose(place + member, 'approximated', `${wire} has only a part of it`);
      continue;
    }
    const settings = groups?.includes(member) === true && isObject(value) ? Object.keys(value) : [];
    const names = settings.length === 0 ? [member] : settings.map((name) => `${member}.${name}`);
    for (const name of names) lose(place + name, 'dropped', `${wire} has no such member`);
  }
  return {};
}

/** Reports the members of a streamed object that are not read, since events cannot hold extra members. */
export function loseUnread(object: Readonly<JsonObject>, read: ReadonlySet<string>, lose: Lose, place = ''): void {
  for (const name in object)
    if (!read.has(name) && object[name] !== null) lose(place + name, 'dropped', 'translated streams do not have it');
}
