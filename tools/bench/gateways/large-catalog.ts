import { createKey } from '../../../core/tenancy/key-format.ts';
import { fillKeys } from './many-keys.ts';

const MODELS = 10_000;
const KEYS = 100_000;

/** Settings of a gateway with 10,000 models in its configuration and 100,000 keys in its database. */
export async function largeCatalog(): Promise<Readonly<Record<string, unknown>>> {
  const model = { targets: [{ provider: 'openai', model: 'bench' }], price: { input: 1, output: 2 } };
  const named = Array.from({ length: MODELS }, (_, index) => [`openai/model-${index}`, model] as const);
  return {
    store: { database: await fillKeys(Array.from({ length: KEYS }, createKey)) },
    models: { ...Object.fromEntries(named), 'openai/bench': model },
  };
}
