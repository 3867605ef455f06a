import { readFileSync } from 'node:fs';
import type { ShippedPrice, WrittenPrice } from '../../contracts/price.ts';
import { SimpleReader } from './simple-yaml.ts';
import { yamlLibrary } from './yaml-library.ts';

/** Prices of one page, read on one day, with what all of them have in common. */
interface PriceGroup extends Pick<ShippedPrice, 'page' | 'seen'>, Pick<WrittenPrice, 'units' | 'regions'> {
  readonly prices: readonly Pick<ShippedPrice, 'models' | 'price'>[];
}

const isBuilt = import.meta.url.endsWith('.js');

const parseYaml = (text: string): unknown =>
  new SimpleReader(text, (written) => written).read() ?? yamlLibrary().parse(text);

/** The build writes each `prices.yaml` as JSON, which is read faster. */
const readGroups = (file: URL): readonly PriceGroup[] =>
  (isBuilt
    ? JSON.parse(readFileSync(new URL(file.href.replace(/\.yaml$/, '.json')), 'utf8'))
    : parseYaml(readFileSync(file, 'utf8'))) as readonly PriceGroup[];

const known = new Map<string, readonly ShippedPrice[]>();

/**
 * The prices in a file of a provider. It is read at the first call: most gateways use few providers.
 * @param file `new URL('./prices.yaml', import.meta.url)`
 */
export function readPriceFile(file: URL): readonly ShippedPrice[] {
  const found = known.get(file.href);
  if (found !== undefined) return found;
  const prices = readGroups(file).flatMap(({ page, seen, prices: rows, ...common }) =>
    rows.map(({ models, price }) => ({
      models,
      page,
      seen,
      price: Array.isArray(price)
        ? price.map((dated: WrittenPrice) => ({ ...dated, ...common }))
        : { ...price, ...common },
    })),
  );
  known.set(file.href, prices);
  return prices;
}
