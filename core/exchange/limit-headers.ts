import type { Headers, Operation } from '../canonical/wire.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { LimitFigure, LimitFigures } from '../errors/limit-figures.ts';
import type { Admission } from '../contracts/plugin.ts';

type Unit = keyof LimitFigures;

/** The tightest figures of all plugins, per unit. */
const joinLimits = (admissions: readonly Admission[]): LimitFigures | undefined => {
  let joined: Partial<Record<Unit, LimitFigure>> | undefined;
  for (const { limits } of admissions) {
    if (limits === undefined) continue;
    joined ??= {};
    for (const [unit, figure] of Object.entries(limits) as [Unit, LimitFigure | undefined][]) {
      const known = joined[unit];
      if (figure !== undefined && (known === undefined || figure.remaining < known.remaining)) joined[unit] = figure;
    }
  }
  return joined;
};

/**
 * What remains of the caller's limits, as headers of the client's wire. Empty without limits or if the wire has none.
 */
export function describeLimits(
  admissions: readonly Admission[],
  client: Pick<ClientSide<Operation>, 'encodeLimits'>,
): Headers {
  if (client.encodeLimits === undefined) return {};
  const limits = joinLimits(admissions);
  return limits === undefined ? {} : client.encodeLimits(limits);
}
