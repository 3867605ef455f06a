import { isObject } from '../canonical/json/members.ts';
import type { JsonObject } from '../canonical/wire.ts';
import type { Attempt } from '../contracts/attempt.ts';
import type { WriteContext } from '../contracts/codec-context.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { KeptReferences } from '../contracts/request-members.ts';

/** Keeps items of responses, by their ids. */
export type KeepItems = (exchange: Exchange, items: readonly (readonly [id: string, text: string])[]) => void;

/** A longer conversation is not kept: its items are. */
const MAX_CONVERSATION = 8_388_608;

/** The items to which later requests can refer. */
const named = (items: readonly JsonObject[], texts: readonly string[]): readonly (readonly [string, string])[] =>
  items.flatMap(({ id }, index) => (typeof id === 'string' && id !== '' ? [[id, texts[index] ?? ''] as const] : []));

/** Keeps the conversation of a response, and its items by their ids, unless the client asked that nothing is stored. */
export const createKeep = (
  { exchange }: Attempt,
  kept: KeptReferences | undefined,
  keepItems: KeepItems | undefined,
): WriteContext['keep'] => {
  const { body } = exchange.inbound;
  if (kept === undefined || keepItems === undefined || exchange.operation !== 'generate') return undefined;
  if (exchange.request.store === false || !isObject(body)) return undefined;
  return (response, items) => {
    const texts = items.map((item) => JSON.stringify(item));
    const conversation = [kept.input(body), ...texts].filter((text) => text !== '').join(',');
    keepItems(exchange, [
      ...(kept.items === true ? named(items, texts) : []),
      ...(conversation.length > MAX_CONVERSATION ? [] : [[response, conversation] as const]),
    ]);
  };
};
