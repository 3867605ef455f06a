import type { Headers, Operation } from '../canonical/wire.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { LimitFigure, LimitFigures } from '../errors/limit-figures.ts';
import type { Admission } from '../contracts/outcome.ts';

type Unit = keyof LimitFigures;

/** The tightest figures of all plugins, per unit. */
const joinLimits = (admissions: readonly Admission[]): LimitFigures | undefined => {
  let only: LimitFigures | undefined;
  let joined: Partial<Record<Unit, LimitFigure>> | undefined;
  for (const { limits } of admissions) {
    if (limits === undefined) continue;
    // One plugin has limits: its figures are not copied.
    if (only === undefined) {
      only = limits;
      continue;
    }
    joined ??= { ...only };
    for (const [unit, figure] of Object.entries(limits) as [Unit, LimitFigure | undefined][]) {
      const known = joined[unit];
      if (figure !== undefined && (known === undefined || figure.remaining < known.remaining)) joined[unit] = figure;
    }
  }
  return joined ?? only;
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
