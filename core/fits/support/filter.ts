import type { EmitEvent } from '../../canonical/event.ts';
import type { EventFilter } from '../../contracts/codec.ts';

/**
 * The filters of one answer as one. What was bent last is undone first, so the last fit's filter sees the provider's events and the first
 * fit's filter speaks to the client. `undefined` when there is nothing to undo.
 * The chain is built once per answer: an event runs through it without a closure of its own.
 */
export function composeFilters(replies: readonly (() => EventFilter)[]): EventFilter | undefined {
  const [first, ...others] = replies;
  if (first === undefined) return undefined;
  if (others.length === 0) return first();
  let out: EmitEvent = () => undefined;
  let chain: EmitEvent = (event) => out(event);
  for (const create of replies) {
    const filter = create();
    const next = chain;
    chain = (event) => filter.push(event, next);
  }
  return {
    push(event, emit) {
      out = emit;
      chain(event);
    },
  };
}
