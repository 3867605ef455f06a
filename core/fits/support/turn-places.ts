import type { TurnPlace } from '../../contracts/capabilities.ts';

/** A place that becomes one turn with its neighbours of the same side. */
export interface SidedPlace<Side> extends TurnPlace {
  readonly side: Side;
}

/**
 * The places of turns that a codec has joined from several items: neighbours of one side are one turn, with the path of
 * the first.
 * @param joins whether neighbours of this side become one turn
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
