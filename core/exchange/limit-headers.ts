import type { Headers, Operation } from '../canonical/wire.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { LimitFigure, LimitFigures } from '../errors/limit-figures.ts';
import type { Admission } from '../contracts/plugin.ts';

type Unit = keyof LimitFigures;

/** Of several plugins' figures the tightest, per unit. */
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

/** What is left of the caller's limits, in the names of the client's wire. Nothing where no plugin limits, or the wire has no names. */
export function describeLimits(admissions: readonly Admission[], client: ClientSide<Operation>): Headers {
  if (client.encodeLimits === undefined) return {};
  const limits = joinLimits(admissions);
  return limits === undefined ? {} : client.encodeLimits(limits);
}
