import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import type { Check } from '../check.ts';
import { listPrices } from '../prices.ts';
import { member } from '../tolerant.ts';

/**
 * USD per million tokens. The cheapest models cost some thousandths of a dollar; the dearest, written per token, are
 * below this bound.
 */
const CHEAPEST = 0.001;
const PER_MILLION = 1_000_000;

const ratesOf = (price: unknown): readonly (readonly [name: string, dollars: number])[] =>
  ['input', 'output'].flatMap((name) => {
    const dollars = member(price, name);
    return typeof dollars === 'number' && dollars > 0 ? [[name, dollars] as const] : [];
  });

/** Without the noise of binary fractions. */
const write = (dollars: number): string => String(Number((dollars * PER_MILLION).toPrecision(6)));

const checkPrice = (price: unknown, path: Path): readonly Finding[] => {
  if (Array.isArray(price)) return price.flatMap((one, index) => checkPrice(one, [...path, index]));
  const rates = ratesOf(price).filter(([, dollars]) => dollars < CHEAPEST);
  if (rates.length === 0) return [];
  // One member of a list that was converted by hand.
  const among = rates.length === ratesOf(price).length ? '' : `.${rates[0]?.[0]}`;
  const corrected = rates.map(([name, dollars]) => `${name}: ${write(dollars)}`).join(', ');
  return [
    {
      path,
      on: 'key',
      severity: 'warning',
      rule: 'implausible-price',
      message:
        `${describePath(path)}${among} seems to be in USD per token, and is read as USD per million tokens: ` +
        `costs would be a million times too low. If so, write ${corrected}.`,
    },
  ];
};

/** The price lists of other gateways are per token. */
export const checkPlausiblePrices: Check = ({ data }) =>
  listPrices(data).flatMap(({ price, path }) => checkPrice(price, path));
