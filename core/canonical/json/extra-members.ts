import type { Lose } from '../loss.ts';
import type { JsonObject, WireName } from '../wire.ts';

/** Members the canonical form has no word for, kept per wire: they come back on the same wire and become losses on another. */
export interface ExtraMembers {
  readonly wire: WireName;
  readonly members: Readonly<JsonObject>;
  /** Those that the gateway itself honours in the answer (metadata that is echoed): on another wire nothing is lost with them. */
  readonly honoured?: readonly string[];
}

/**
 * The members that may be written on `wire`. On a foreign wire nothing is written, and each one is named as dropped that the gateway does not honour.
 * @param path prefix of the lost field's name, e.g. `messages[2].`
 */
export function writeExtraMembers(
  extra: ExtraMembers | undefined,
  wire: WireName,
  lose: Lose,
  path = '',
): Readonly<JsonObject> {
  if (extra === undefined) return {};
  if (extra.wire === wire) return extra.members;
  for (const member of Object.keys(extra.members))
    if (extra.honoured?.includes(member) !== true) lose(path + member, 'dropped', `${wire} has no such member`);
  return {};
}
