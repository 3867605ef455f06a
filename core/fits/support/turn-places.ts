import type { TurnPlace } from '../../contracts/capabilities.ts';

/** A place that may become one turn with its neighbours of the same side. */
export interface SidedPlace<Side> extends TurnPlace {
  readonly side: Side;
}

/**
 * The places of turns that a codec made of several items: neighbours of one side are one turn, named by the first of
 * them.
 * @param joins whether neighbours of this side became one turn
 */
export function joinTurnPlaces<Side>(
  places: readonly SidedPlace<Side>[],
  joins: (side: Side) => boolean,
): readonly TurnPlace[] {
  const joined: { readonly turn: string; readonly side: Side; readonly parts: string[] }[] = [];
  for (const { turn, side, parts } of places) {
    const last = joined.at(-1);
    if (last === undefined || last.side !== side || !joins(side)) joined.push({ turn, side, parts: [...parts] });
    else for (const part of parts) last.parts.push(part);
  }
  return joined;
}
