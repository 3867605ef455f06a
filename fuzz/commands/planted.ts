import type { Importer } from '../../core/api/internal.ts';

const faults: readonly Importer['translate'][] = [
  () => {
    throw new TypeError('a planted fault');
  },
  () => ({ settings: { providers: 7 }, notes: [], variables: {} }),
  (source) => ({ settings: { providers: {} }, notes: [{ from: [], text: JSON.stringify(source) }], variables: {} }),
  () => {
    for (const begin = process.cpuUsage().user; process.cpuUsage().user - begin < 6_000_000;);
    return { settings: {}, notes: [], variables: {} };
  },
];
let count = 0;

/** What a fuzzer of importers must find: an exception, a result that does not load, a copied secret, and long work. */
export const plantedImporter: Importer = {
  title: 'LiteLLM',
  translate: (source, help) => {
    count += 1;
    const fault = faults[count % 12 === 0 ? 3 : count % 3];
    return fault === undefined ? { settings: {}, notes: [], variables: {} } : fault(source, help);
  },
};
