import type { JsonObject, Reasoning } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';

export interface EncodedReasoning {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

/** The lowest effort of the wire is `low`. A client of this wire gets the vendor's error. */
const encodeEffort = (effort: string | undefined, wire: string, lose: Lose): { readonly effort?: string } => {
  if (effort === undefined || effort === 'none') return {};
  if (effort !== 'minimal' || wire === WIRE) return { effort };
  lose('reasoning_effort', 'approximated', "messages has no effort 'minimal'");
  return { effort: 'low' };
};

/**
 * A budget becomes `enabled`, an effort `adaptive`. A client of this wire that did not set `show` sent an effort
 * without `thinking`, and gets that again.
 */
export function encodeReasoning(reasoning: Reasoning | undefined, wire: string, lose: Lose): EncodedReasoning {
  if (reasoning === undefined) return {};
  const { budget, show } = reasoning;
  const effort = encodeEffort(reasoning.effort, wire, lose);
  if (budget === 0 || reasoning.effort === 'none') return { thinking: { type: 'disabled' }, ...effort };
  if (budget !== undefined)
    return {
      thinking: { type: 'enabled', budget_tokens: budget, ...(show === false ? { display: 'omitted' } : {}) },
      ...effort,
    };
  if (effort.effort === undefined || (wire === WIRE && show === undefined)) return effort;
  return {
    thinking: omitUndefined({
      type: 'adaptive',
      display: show === undefined ? undefined : show ? 'summarized' : 'omitted',
    }),
    ...effort,
  };
}
