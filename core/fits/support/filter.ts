import type { EmitEvent } from '../../canonical/event.ts';
import type { EventFilter } from '../../contracts/codec.ts';

/**
 * Combines the filters of one response. The last change is reversed first: the last fit's filter gets the provider's
 * events, the first fit's filter emits to the client. Undefined if there is nothing to reverse. The chain is built once
 * per response, so that an event needs no closure of its own.
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
