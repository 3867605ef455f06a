import { GatewayError, type JsonObject, type Turn } from '../../core/api/index.ts';
import { type Lose, writeExtraMembers } from '../../core/api/codec.ts';

/**
 * The extra members of a turn. The role of a system turn is kept as such, so its original name (`developer`) is not a
 * loss.
 * @param own the wire that the turn is written on
 */
export function writeTurnExtra({ extra }: Turn, own: string, path: string, lose: Lose): Readonly<JsonObject> {
  const loseOthers: Lose = (field, kind, detail) => {
    if (!field.endsWith('.role')) lose(field, kind, detail);
  };
  return writeExtraMembers(extra, own, loseOthers, `${path}.`);
}

/** @param param the conversation on the wire of the client */
export const emptyConversation = (param: string): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    'No message of the conversation has content that can be sent to this model.',
    { param },
  );
