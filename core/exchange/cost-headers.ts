import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { writeDollars } from '../canonical/text/write-dollars.ts';
import { cacheWriteTotal, inputTotal } from '../canonical/usage.ts';
import type { Exchange } from '../contracts/exchange.ts';
import { measureSpending, type Spending } from '../outcome/charges.ts';
import type { ExchangeState } from './exchange-state.ts';

/** The value of `trailer`, which announces the cost at the end of a stream. */
export const COST_TRAILERS = 'x-koine-cost, x-koine-usage';

const whereAbove0 = (count: number): number | undefined => (count > 0 ? count : undefined);

const writeUsage = ({ charges, usage }: Spending): string | undefined =>
  usage &&
  JSON.stringify(
    omitUndefined({
      input: inputTotal(usage),
      output: usage.output,
      cacheRead: whereAbove0(usage.cacheRead),
      cacheWrite: whereAbove0(cacheWriteTotal(usage)),
      reasoning: whereAbove0(usage.reasoning),
      units: usage.units,
      estimated: usage.source === 'estimated' ? true : undefined,
      unpriced: charges.some(({ cost }) => cost === undefined) ? true : undefined,
    }),
  );

/**
 * What an exchange has cost, as headers: called once its last attempt has ended. The outcome of the exchange gets the
 * same figures.
 */
export function measureCost(exchange: Exchange, state: ExchangeState): Record<string, string> {
  const spending = measureSpending({ exchange, attempts: state.attempts, ending: state.ending });
  state.spending = spending;
  // Usage without any price has no known cost.
  const cost = spending.charges.length === 0 ? 0n : spending.cost;
  const usage = writeUsage(spending);
  return {
    ...(cost === undefined ? {} : { 'x-koine-cost': writeDollars(cost) }),
    ...(usage === undefined ? {} : { 'x-koine-usage': usage }),
  };
}
