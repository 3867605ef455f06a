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
  /** Members that the gateway itself handles in the response (echoed metadata): not a loss on another wire. */
  readonly honoured?: readonly string[];
  /** Members that group settings, each of which is a loss by its own name: `reasoning.mode`. */
  readonly groups?: readonly string[];
}

/**
 * The extra members to write on `wire`. For another wire the result is empty, and each member is reported as dropped
 * unless the gateway handles it.
 * @param path prefix of the field in losses, e.g. `messages[2].`
 */
export function writeExtraMembers(
  extra: ExtraMembers | undefined,
  wire: WireName,
  lose: Lose,
  path = '',
): Readonly<JsonObject> {
  if (extra === undefined) return {};
  if (extra.wire === wire) return extra.members;
  for (const [member, value] of Object.entries(extra.members)) {
    if (extra.honoured?.includes(member) === true) continue;
    const settings = extra.groups?.includes(member) === true && isObject(value) ? Object.keys(value) : [];
    const names = settings.length === 0 ? [member] : settings.map((name) => `${member}.${name}`);
    for (const name of names) lose(path + name, 'dropped', `${wire} has no such member`);
  }
  return {};
}
